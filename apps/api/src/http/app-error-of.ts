import { isDatabaseAway } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** Retry-After while the database is unreachable, in seconds. */
const databaseRetrySeconds = 5;

/** The error shown to a client for anything thrown; contains nothing internal. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) {
    return new AppError('unavailable', 'The database cannot be reached. Try again later.', {
      cause: error,
      retryAfterSeconds: databaseRetrySeconds,
    });
  }
  return new AppError('internal', 'Internal error. Search the logs for the request id.', {
    cause: error,
  });
}
