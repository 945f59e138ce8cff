import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

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

/** A process's logger. `stream` is where lines go; standard output if left out. */
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
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    options.stream ?? pino.destination({ dest: 1, sync: false }),
  );
}
