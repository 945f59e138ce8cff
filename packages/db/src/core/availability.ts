import { isNativeError } from 'node:util/types';
import pTimeout from 'p-timeout';
import { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

/** The time after which a database that does not answer counts as unavailable. */
const pingTimeoutMs = 2_000;

/** Returns the database's time; throws if it does not answer within two seconds, or accepts no writes. */
export async function pingDatabase({ pool }: Pick<Database, 'pool'>): Promise<Date> {
  const asked = pool.query<{ is_read_only: boolean; now: Date }>(
    `SELECT current_setting('transaction_read_only')::boolean AS is_read_only, clock_timestamp() AS now`,
  );
  const { rows } = await pTimeout(asked, {
    milliseconds: pingTimeoutMs,
    message: new NoAnswer('the database does not answer'),
  });
  const [row] = rows;
  if (row === undefined) throw new NoAnswer('the database does not say its time');
  if (row.is_read_only) throw new ReadOnly('the database is read-only');
  return row.now;
}

/** As from the driver: with the code of a lost connection. */
class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';
}

/** As from the server: with the code of a write in a read-only transaction. */
class ReadOnly extends Error {
  readonly code = '25006';
}

/**
 * Why a database does not do its work, although the statement may be right. `refused`: it does not accept the user, the
 * password or the name of the database.
 */
export const databaseFaultKinds = [
  'unreachable',
  'refused',
  'read_only',
  'no_connection',
  'disk_full',
  'out_of_memory',
  'input_output',
] as const;

/** One of `databaseFaultKinds`. */
export type DatabaseFaultKind = (typeof databaseFaultKinds)[number];

/** A fault with the database's or the system's own words about it. */
export interface DatabaseFault {
  readonly kind: DatabaseFaultKind;
  readonly message: string;
}

/** Faults by SQLSTATE, by Node's codes, and by those of Prisma and the kinds of its driver adapter. */
const faultsByCode: readonly (readonly [codes: RegExp, kind: DatabaseFaultKind])[] = [
  [/^(08...|57P0[1-5]|P1001|P1002|P1008|P1017)$/, 'unreachable'],
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, 'unreachable'],
  [/^(DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/, 'unreachable'],
  [/^(28000|28P01|3D000)$/, 'refused'],
  [/^25006$/, 'read_only'],
  [/^(53300|P2024|P2037)$/, 'no_connection'],
  [/^53100$/, 'disk_full'],
  [/^(53000|53200)$/, 'out_of_memory'],
  [/^58030$/, 'input_output'],
];

const unreachableMessages = [
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
  return databaseFault(error) !== null;
}

/** The fault of the database that an error or one of its causes reports; null if the statement itself was wrong. */
export function databaseFault(error: unknown): DatabaseFault | null {
  for (
    let cause: unknown = error, depth = 0;
    isNativeError(cause) && depth < 5;
    cause = cause.cause, depth++
  ) {
    const kind = faultOf(cause);
    if (kind !== null) return { kind, message: wordsOf(cause) };
    if (!(cause instanceof AggregateError)) continue;
    for (const inner of cause.errors) {
      const fault = databaseFault(inner);
      if (fault !== null) return fault;
    }
  }
  return null;
}

function faultOf(error: Error): DatabaseFaultKind | null {
  if (error instanceof Prisma.PrismaClientInitializationError) return 'unreachable';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reported =
    error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.['driverAdapterError'] : undefined;
  const codes = [...adapterCodes(error), ...(isNativeError(reported) ? adapterCodes(reported) : []), code];
  for (const [pattern, kind] of faultsByCode) if (codes.some((each) => pattern.test(each))) return kind;
  return unreachableMessages.some((text) => error.message.includes(text)) ? 'unreachable' : null;
}

/** Prisma's driver adapter stores the driver's error in `cause` as a plain object. */
function adapterCodes({ cause }: Error): readonly string[] {
  if (typeof cause !== 'object' || cause === null || isNativeError(cause)) return [];
  const kind = 'kind' in cause ? cause.kind : undefined;
  const original = 'originalCode' in cause ? cause.originalCode : undefined;
  return [kind, original].filter((code) => typeof code === 'string');
}

/** The message; Node reports a name with several addresses by an error without one, with an error for each. */
function wordsOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((inner) => (isNativeError(inner) ? inner.message : String(inner))).join(', ');
}
