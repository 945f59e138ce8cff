import { isDatabaseAway } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** When to try again with a database that is away, in seconds. */
const databaseRetrySeconds = 5;

/** The error a client is told about for anything that was thrown; nothing internal is in it. */
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
