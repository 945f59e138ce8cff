import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';
import { gatherOutages } from './gather-outages.ts';

/** Writes JSON lines: constant messages, with all variable data in fields. */
export type Logger = PinoLogger;

/** Names of fields whose values are replaced in logs, in the first three levels. */
const secretFields: ReadonlySet<string> = new Set([
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
]);

/**
 * A process's logger. Writes to `stream`, or to standard output, which drops lines once its reader has gone.
 * The field `err` is an error, written by `errorFields`.
 */
export function createLogger(options: {
  readonly app: string;
  readonly level: string;
  readonly stream?: DestinationStream;
  /** Recognises errors of what the process depends on, whose repetitions are counted; default: none. */
  readonly isOutage?: (error: Error) => boolean;
}): Logger {
  const log: Logger = pino(
    {
      hooks: options.isOutage === undefined ? {} : gatherOutages(options.isOutage, () => log),
      level: options.level,
      base: { app: options.app, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: (error: unknown) => (error == null ? error : errorFields(error)) },
    },
    options.stream ?? standardOutput(),
  );
  // pino has no formatter for the fields of child loggers. Children inherit this method, too.
  const child = log.child;
  log.child = function withoutSecretFields(this: Logger, fields, more) {
    return child.call(this, withoutSecrets(fields), more);
  } as typeof log.child;
  return log;
}

/**
 * The fields of a line with secret ones replaced; the same object if it has none. pino's own redaction costs several
 * times as much as the rest of a line.
 */
function withoutSecrets<Fields extends object>(fields: Fields, levels = 3): Fields {
  const changed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const shown = secretFields.has(name) ? '[secret]' : withoutNested(name, value, levels - 1);
    if (shown !== value) changed.push([name, shown]);
  }
  if (changed.length === 0) return fields;
  const copy: object = Array.isArray(fields) ? [...fields] : { ...fields };
  return Object.assign(copy, Object.fromEntries(changed)) as Fields; // It has the same keys.
}

/** Errors have a serializer, which shows no fields of theirs but known ones. */
function withoutNested(name: string, value: unknown, levels: number): unknown {
  const isShown = levels === 0 || name === 'err' || typeof value !== 'object' || value === null;
  return isShown ? value : withoutSecrets(value, levels);
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
