import { isNativeError } from 'node:util/types';
import pTimeout from 'p-timeout';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** The time after which a database that does not answer counts as unavailable. */
const pingTimeoutMs = 2_000;

/** Sends a query to the database; throws if it does not answer within two seconds. */
export async function pingDatabase({ pool }: Database): Promise<void> {
  await pTimeout(pool.query('SELECT 1'), {
    milliseconds: pingTimeoutMs,
    message: 'the database does not answer',
  });
}

/** SQLSTATE classes and codes of temporary failures: connection lost, shutdown, too many connections, read-only. */
const awayStates = /^(08...|57P0[1-5]|53300|25006)$/;

const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const awayPrismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

const awayMessages = [
  'Unable to start a transaction in the given time',
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'Query read timeout',
];

/** Whether an error means that the database is temporarily unavailable, rather than that the statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  for (
    let cause: unknown = error, depth = 0;
    isNativeError(cause) && depth < 5;
    cause = cause.cause, depth++
  ) {
    if (cause instanceof Prisma.PrismaClientInitializationError) return true;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (awayStates.test(code) || awaySystemCodes.has(code) || awayPrismaCodes.has(code)) return true;
    const { message } = cause;
    if (awayMessages.some((text) => message.includes(text))) return true;
    if (cause instanceof AggregateError && cause.errors.some((inner) => isDatabaseAway(inner))) return true;
    if (isAdapterAway(cause)) return true;
    if (cause instanceof Prisma.PrismaClientKnownRequestError) {
      const reported = cause.meta?.['driverAdapterError'];
      if (isNativeError(reported) && isAdapterAway(reported)) return true;
    }
  }
  return false;
}

/** Prisma's driver adapter stores the driver's error in `cause` as a plain object. */
function isAdapterAway(error: Error): boolean {
  const { cause } = error;
  if (typeof cause !== 'object' || cause === null || isNativeError(cause)) return false;
  const kind = 'kind' in cause ? cause.kind : undefined;
  const original = 'originalCode' in cause ? cause.originalCode : undefined;
  return (
    kind === 'DatabaseNotReachable' ||
    kind === 'ConnectionClosed' ||
    kind === 'SocketTimeout' ||
    (typeof original === 'string' && (awayStates.test(original) || awaySystemCodes.has(original)))
  );
}
