import { type DatabaseFaultKind, databaseFault } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** What a client reads about a fault of the database, and when it may try again, in seconds. */
const faults: Readonly<Record<DatabaseFaultKind, readonly [detail: string, retrySeconds: number]>> = {
  unreachable: ['The database cannot be reached. Try again later.', 5],
  refused: ['The database refuses the service. Try again later.', 30],
  read_only: ['The database is read-only. Try again later.', 5],
  no_connection: ['The database has no free connection. Try again later.', 5],
  disk_full: ["The database's disk is full. Try again later.", 30],
  out_of_memory: ['The database has no free memory. Try again later.', 5],
  input_output: ['The database cannot use its files. Try again later.', 30],
};

/** The error shown to a client for anything thrown; contains nothing internal. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const fault = databaseFault(error);
  if (fault !== null) {
    const [detail, retryAfterSeconds] = faults[fault.kind];
    return new AppError('unavailable', detail, { cause: error, retryAfterSeconds });
  }
  return new AppError('internal', 'Internal error. Search the logs for the request id.', {
    cause: error,
  });
}
