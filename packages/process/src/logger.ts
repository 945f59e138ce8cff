import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';

/** Writes JSON lines: constant messages, with all variable data in fields. */
export type Logger = PinoLogger;

/** Names of fields whose values are replaced in logs, in the first three levels. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'passwordHash',
  'password_hash',
  'token',
  'registration_token',
  'host_access_token',
  'accessToken',
  'secret',
  'jwt_secret_key',
  'private_key',
  'privateKey',
  'databaseUrl',
  'redisUrl',
] as const;

/**
 * A process's logger. Writes to `stream`, or to standard output, which drops lines once its reader has gone.
 * The field `err` is an error, written by `errorFields`.
 */
export function createLogger(options: {
  readonly app: string;
  readonly level: string;
  readonly stream?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      base: { app: options.app, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => (error == null ? error : errorFields(error)) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    options.stream ?? standardOutput(),
  );
}

/**
 * pino's own destination retries forever after the reader of a pipe has gone, which keeps the process from
 * ending.
 */
function standardOutput(): DestinationStream {
  // A process may create many loggers, but needs only one listener.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined); // see above
  return process.stdout;
}
