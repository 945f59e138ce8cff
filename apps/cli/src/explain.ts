import { isNativeError } from 'node:util/types';
import { ConfigError } from '@plimsoll/config';
import { type DatabaseFaultKind, databaseFault } from '@plimsoll/db';
import { EmbeddedError } from '@plimsoll/embedded';
import { LoadtestError } from '@plimsoll/loadtest';
import { withoutCredentials } from '@plimsoll/model';
import { SecretsError } from '@plimsoll/secrets';
import { TlsError } from '@plimsoll/tls';
import { StartError } from './service/start-error.ts';

const url = 'database.url (PLIMSOLL_DATABASE_URL)';

/** The beginning and the end of the sentence about a fault of the database. */
const faults: Readonly<Record<DatabaseFaultKind, readonly [problem: string, remedy: string]>> = {
  unreachable: ['cannot be reached', `Start it, or correct ${url}`],
  refused: [
    'refuses the connection',
    `Correct user, password and name of the database in ${url}, or the file of database.password_file`,
  ],
  read_only: [
    'is read-only',
    `${url} must name a primary server, and default_transaction_read_only must be off`,
  ],
  no_connection: [
    'has no free connection',
    'Raise max_connections of the server or the limit of the role, or lower database.pool_size',
  ],
  disk_full: ['has no space left on its disk', 'Make space, and try again'],
  out_of_memory: ['has no memory left', 'Give the server more, and try again'],
  input_output: ['cannot read or write its files', "See the server's log"],
};

/**
 * The sentence for an error that a user can do something about, without credentials: the setting or file, and what to do.
 * Null for errors that only their stack explains.
 */
export function sentenceFor(error: unknown): string | null {
  const isForPeople =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof LoadtestError ||
    error instanceof SecretsError ||
    error instanceof TlsError;
  if (isForPeople) return error.message;
  if (error instanceof EmbeddedError) return `Plimsoll cannot start: ${error.message}`;
  if (!isNativeError(error)) return null;
  // Requests over HTTP fail with the same codes.
  const fault = error.message === 'fetch failed' ? null : databaseFault(error);
  if (fault !== null) {
    const [problem, remedy] = faults[fault.kind];
    return withoutCredentials(`The database ${problem}: ${fault.message}. ${remedy}.`);
  }
  // An error of the operating system names the reason and the file.
  return 'syscall' in error ? `Plimsoll cannot go on: ${withoutCredentials(error.message)}.` : null;
}

/** The message for an error: its sentence, otherwise all details without the credentials in its URLs. */
export function explain(error: unknown): string {
  return sentenceFor(error) ?? withoutCredentials(stackOf(error));
}

/** An error's stack with those of its causes, for a log. */
export function stackOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`;
}
