import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/**
 * Settings of each connection. Compiling a plan costs more than any of our statements takes. Prisma's adapter drops the
 * offset of a time that it reads and sends times without one: both are right in UTC alone, whatever the server is set to.
 */
export const sessionOptions = '-c jit=off -c TimeZone=UTC';

/** One database: Prisma for ordinary rows, the pool under it for hot paths. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
}

/** How to reach a database. */
export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** What Postgres shows in pg_stat_activity. */
  readonly applicationName: string;
  /** A statement that takes longer fails, even where the server is frozen; none does if left out. Milliseconds. */
  readonly statementLimitMs?: number;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError: (error: Error) => void;
}

/** A server that does not take a connection within this time is away. */
const connectMs = 5_000;
/** A statement may wait this long for a connection that others use: thousands of agents that come back at once take turns. */
const longestWaitMs = 30_000;

/** A connection of the pool. */
class PromptClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super({
      ...(typeof config === 'string' ? { connectionString: config } : config),
      // The pool has one limit for both: its own time for waiting would be the time for connecting as well.
      connectionTimeoutMillis: connectMs,
    });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // A statement that timed out still runs, and what follows it waits, ROLLBACK included. Prisma's adapter would give such a
    // connection back to the pool with its transaction open: so it is ended.
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
    // The server rolls back when the connection is gone; nobody waits for a goodbye that it may not answer.
    this.end().catch(() => undefined);
  }
}

/** Opens a pool. Connects on first use, so that a database that is away makes statements fail, not the start. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    application_name: options.applicationName,
    options: sessionOptions,
    Client: PromptClient,
    connectionTimeoutMillis: longestWaitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(options.statementLimitMs === undefined ? {} : { query_timeout: options.statementLimitMs }),
  });
  pool.on('error', options.onIdleError);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** A connection with a transaction open on it. */
export type Transaction = pg.PoolClient;

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    // A broken connection cannot roll back, and has: the server did when it saw it go.
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      failure = new Error('rollback failed', { cause: rollbackError });
    });
    throw error;
  } finally {
    // A connection whose transaction failed in an unknown state is not worth keeping.
    client.release(failure?.message === 'rollback failed' ? failure : undefined);
  }
}
