import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { v7, validate } from 'uuid';
import { PrismaClient } from '../generated/client.ts';
import { valueParsers } from './value-parsers.ts';

/**
 * Settings of each connection. JIT compilation takes longer than any of these statements. Prisma's adapter drops the
 * offset of times that it reads and sends times without one, which is only correct in UTC; so this does not rely on the
 * server's time zone.
 */
export const sessionOptions = '-c jit=off -c TimeZone=UTC';

/**
 * So that no statement, no wait for a lock and no forgotten transaction lasts for ever, and none goes on that was given up. An import of everything for 100,000
 * hosts changes advisories for minutes, and others wait for it meanwhile. A client that is gone without a word keeps its
 * locks for about half a minute.
 */
const longest =
  '-c lock_timeout=30min -c statement_timeout=2h -c idle_in_transaction_session_timeout=15min -c client_connection_check_interval=1s' +
  ' -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4';

/** One database: Prisma for ordinary rows, the pool for hot paths. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Has `work` done before the connections are closed. */
  beforeClose(work: () => Promise<void>): void;
  /** Waits for running statements, then closes all connections. */
  close(): Promise<void>;
}

/** A client of Prisma on a pool, until `close`. */
export interface PrismaOnPool {
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

/** How to connect to a database. */
export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** The name in pg_stat_activity. */
  readonly applicationName: string;
  /** Milliseconds after which a statement fails, even if the server is frozen. No limit if omitted. */
  readonly statementLimitMs?: number;
  /** Called for connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError: (error: Error) => void;
  /** Called with the error of each connection that could not be had, and of each statement that failed. */
  readonly onError?: (error: unknown) => void;
  /** Gives a client of Prisma; default: a new one. */
  readonly prismaFor?: (pool: pg.Pool) => PrismaOnPool;
}

/** A server that does not accept a connection within this time counts as unavailable, where a client waits for an answer. */
const connectMs = 10_000;
/**
 * The time a statement may wait for a free connection, so that thousands of agents that reconnect at once can take
 * turns.
 */
const longestWaitMs = 30_000;
/**
 * Idle connections are kept for this time, so that a user who opens a page every minute finds one that has planned its
 * statements: planning those of one host on a new connection takes longer than running them.
 */
const keptIdleMs = 5 * 60_000;

/** Calls `onError` with each error of a method of pg, which takes a callback or returns a promise. */
function observeErrors(of: object, method: 'connect' | 'query', onError: (error: unknown) => void): void {
  const call = (Reflect.get(of, method) as (...args: unknown[]) => unknown).bind(of);
  const observed = (...args: unknown[]): unknown => {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const told = (error: unknown, ...rest: unknown[]): unknown => {
        if (error instanceof Error) onError(error);
        return callback(error, ...rest);
      };
      return call(...args.slice(0, -1), told);
    }
    const answer = call(...args);
    if (answer instanceof Promise) answer.catch(onError);
    return answer;
  };
  Object.assign(of, { [method]: observed });
}

function newPrisma(pool: pg.Pool): PrismaOnPool {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return { prisma, close: () => prisma.$disconnect() };
}

/** Whether statements have a limit, as where a client waits for their answer. */
function hasLimit(config: string | pg.ClientConfig | undefined): boolean {
  return typeof config === 'object' && config.query_timeout !== undefined;
}

/** A connection of the pool. */
class PromptClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super({
      ...(typeof config === 'string' ? { connectionString: config } : config),
      // The pool has one limit for both: its own limit for waiting would also be the limit for connecting. Work in the
      // background waits as long for a busy server as for a free connection.
      connectionTimeoutMillis: hasLimit(config) ? connectMs : longestWaitMs,
    });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // After a timeout, the server still runs the statement, and later statements on the connection wait, including
    // ROLLBACK. Prisma's adapter would return such a connection to the pool with its transaction open, so this ends the
    // connection.
    Object.assign(this, {
      query: (...args: unknown[]) => {
        const answer = query(...args);
        if (answer instanceof Promise) answer.catch((error: unknown) => this.#endAfter(error));
        return answer;
      },
    });
  }

  #endAfter(error: unknown): void {
    if (!(error instanceof Error && error.message === 'Query read timeout')) return;
    // The server rolls back when the connection closes. Do not wait for an answer that may never come.
    this.end().catch(() => undefined);
  }
}

/**
 * Opens a pool. Connects on first use, so that statements fail while the database is unavailable, but startup does not.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    application_name: options.applicationName,
    options: `${sessionOptions} ${longest}`,
    types: valueParsers(),
    Client: PromptClient,
    connectionTimeoutMillis: longestWaitMs,
    idleTimeoutMillis: keptIdleMs,
    keepAlive: true,
    // The system's default is two hours. Node.js adds ten seconds.
    keepAliveInitialDelayMillis: 5_000,
    ...(options.statementLimitMs === undefined ? {} : { query_timeout: options.statementLimitMs }),
  });
  pool.on('error', options.onIdleError);
  // A connection that breaks during a statement fails that statement, and is reported here a second time. Without a
  // listener the report would end the process.
  const { onError } = options;
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (onError !== undefined) observeErrors(client, 'query', onError);
  });
  if (onError !== undefined) observeErrors(pool, 'connect', onError);
  // Made at its first use: a client of Prisma takes more processor time than a dozen connections.
  let made: PrismaOnPool | null = null;
  const closing: (() => Promise<void>)[] = [];
  return {
    get prisma() {
      made ??= (options.prismaFor ?? newPrisma)(pool);
      return made.prisma;
    },
    pool,
    beforeClose: (work) => void closing.push(work),
    async close() {
      await Promise.all(closing.map((work) => work()));
      await made?.close();
      await pool.end();
    },
  };
}

/** A connection of pg with an open transaction, for statements that Prisma would make slower (docs/decisions/database-door.md). */
export type PgTransaction = pg.PoolClient;

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export function inPgTransaction<T>(pool: pg.Pool, work: (tx: PgTransaction) => Promise<T>): Promise<T> {
  return connected(pool, work, 'BEGIN');
}

/** Runs `work`, which only reads, on one state of the database. */
export function inPgSnapshot<T>(pool: pg.Pool, work: (tx: PgTransaction) => Promise<T>): Promise<T> {
  return connected(pool, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}

async function connected<T>(
  pool: pg.Pool,
  work: (tx: PgTransaction) => Promise<T>,
  begin: string,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const onRollbackError = (error: Error) => {
    failure = error;
  };
  try {
    return await runTransaction(client, work, { begin, onRollbackError });
  } finally {
    // A connection in an unknown state is closed.
    client.release(failure);
  }
}

/** A transaction on a connection of the caller, which learns if the rollback failed: then its state is unknown. */
export async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: PgTransaction) => Promise<T>,
  {
    begin = 'BEGIN',
    onRollbackError = () => undefined,
  }: { readonly begin?: string; readonly onRollbackError?: (error: Error) => void } = {},
): Promise<T> {
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A broken connection cannot roll back; the server rolls back when it notices the loss.
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      onRollbackError(new Error('rollback failed', { cause: rollbackError }));
    });
    throw error;
  }
}

/** Names of prepared statements by their text, the same on all connections of this process. */
const statementNames = new Map<string, string>();
/** More texts than this are not prepared: each connection keeps every statement it has prepared. */
const mostPrepared = 300;

/**
 * The same transaction, whose parametrised statements are planned once per connection. For transactions that run often
 * and whose texts are constant.
 */
export function preparing(tx: PgTransaction): PgTransaction {
  const query = (text: unknown, values: unknown): unknown => {
    const name = typeof text === 'string' && Array.isArray(values) ? statementName(text) : null;
    return Reflect.apply(tx.query, tx, name === null ? [text, values] : [{ name, text, values }]);
  };
  return Object.create(tx, { query: { value: query } });
}

/**
 * The statements of a pool, each planned once per connection. For reads that run often, whose texts are constant, and
 * which find rows by keys, so that a plan does not depend on the values.
 */
export function preparedReads({ pool }: Pick<Database, 'pool'>) {
  return {
    query: <Row extends object>(text: string, values: unknown[] = []) => {
      const name = statementName(text);
      return pool.query<Row>(name === null ? { text, values } : { name, text, values });
    },
  };
}

/** The name under which a statement is prepared; null for a text beyond `mostPrepared`. */
function statementName(text: string): string | null {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= mostPrepared) return known ?? null;
  const name = `prepared-${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

/** A new UUIDv7 (RFC 9562); ids sort by creation time. */
export function newId<Id extends string>(): Id {
  return v7() as Id; // The only place that creates ids.
}

/** Whether a text has the form of an id. Other texts identify nothing. */
export function isUuid(text: string): boolean {
  return validate(text);
}
