import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';

/** Writes JSON lines: constant messages, and everything that varies in fields. */
export type Logger = PinoLogger;

/** Field names whose values never reach a log, wherever they stand in the first three levels. */
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
 * A process's logger. `stream` is where lines go; standard output if left out, where lines that nobody takes any more
 * are dropped. An error goes into the field `err` and shows as `errorFields` says.
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
 * Not pino's own destination: where the reader of a pipe is gone, that one retries for ever and keeps the process from
 * ending. Then there is nobody to tell, and work in hand is still to be finished.
 */
function standardOutput(): DestinationStream {
  // A process may make many loggers, and one listener is enough.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined); // see above
  return process.stdout;
}
