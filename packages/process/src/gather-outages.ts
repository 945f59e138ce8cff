import { isNativeError } from 'node:util/types';
import type { LogFn, LoggerOptions, Logger as PinoLogger } from 'pino';
import { errorFields } from './error-fields.ts';

/** Time between two lines about the same failure, in milliseconds. */
const everyMs = 60_000;
/** Lines about further kinds of failures are all written. */
const mostKinds = 200;
/** pino's number of the level. */
const warn = 40;

interface Kind {
  readonly timer: NodeJS.Timeout;
  repeats: number;
}

/**
 * Makes an outage a line and a count. `isOutage` recognises its errors. The first warning or error about a failure is written
 * with its stack; repetitions within a minute are counted, and written as one line with `repeats`, without a stack. The
 * same failure is the same message, fields and error; ids of hosts, jobs and requests do not matter. `root` gives the
 * logger for the counts.
 */
export function gatherOutages(
  isOutage: (error: Error) => boolean,
  root: () => PinoLogger,
): NonNullable<LoggerOptions['hooks']> {
  const kinds = new Map<string, Kind>();

  /** Whether a line repeats another one and was counted. */
  function isCounted(fields: FailureFields, message: unknown, level: number): boolean {
    const key = keyOf(fields, message, level);
    const known = kinds.get(key);
    if (known !== undefined) {
      known.repeats += 1;
      return true;
    }
    if (kinds.size >= mostKinds) return false;
    const timer = setInterval(() => {
      const kind = kinds.get(key);
      if (kind === undefined || kind.repeats === 0) {
        clearInterval(timer);
        kinds.delete(key);
        return;
      }
      const { type, message: reason, code } = errorFields(fields.err);
      const line = { ...namedFields(fields), repeats: kind.repeats, error: { type, message: reason, code } };
      kind.repeats = 0;
      root()[level > warn ? 'error' : 'warn'](line, String(message));
    }, everyMs).unref();
    kinds.set(key, { timer, repeats: 0 });
    return false;
  }

  return {
    logMethod(args: Parameters<LogFn>, method: LogFn, level: number) {
      const [fields, message] = args as readonly unknown[];
      if (level >= warn && isFailure(fields) && isOutage(fields.err) && isCounted(fields, message, level))
        return;
      method.apply(this, args);
    },
  };
}

interface FailureFields {
  readonly err: Error;
}

function isFailure(fields: unknown): fields is FailureFields {
  return typeof fields === 'object' && fields !== null && 'err' in fields && isNativeError(fields.err);
}

function keyOf(fields: FailureFields, message: unknown, level: number): string {
  const { type, message: reason, code } = errorFields(fields.err);
  return JSON.stringify([level, message, namedFields(fields), type, code, reason.replace(/\d+/g, '#')]);
}

/** The fields with few values. */
function namedFields(fields: FailureFields): Readonly<Record<string, string>> {
  const named = Object.entries(fields).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && (entry[0] === 'feedId' || !entry[0].endsWith('Id')),
  );
  return Object.fromEntries(named);
}
