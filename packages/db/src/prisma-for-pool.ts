import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** A client of Prisma on a pool, until `close`. */
export interface PrismaOnPool {
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

/** A new client. */
export function newPrisma(pool: pg.Pool): PrismaOnPool {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return { prisma, close: () => prisma.$disconnect() };
}

interface Reused {
  readonly client: PrismaClient;
  /** The pool's adapter; null while no database has the client. */
  adapter: Promise<SqlDriverAdapter> | null;
}

const free: Reused[] = [];

/**
 * A client that was made for an earlier database of this process and is on another pool now: its schema and the plans of its
 * queries are read once. For processes that open hundreds of databases in turn, which are tests. Whoever uses it after
 * `close` gets an error.
 */
export function reusedPrisma(pool: pg.Pool): PrismaOnPool {
  const reused = free.pop() ?? newReused();
  const adapter = new PrismaPg(pool).connect();
  reused.adapter = adapter;
  let isClosed = false;
  const prisma = new Proxy(reused.client, {
    get(client, key) {
      if (isClosed) throw new Error('the database is closed');
      const value: unknown = Reflect.get(client, key);
      return typeof value === 'function' ? value.bind(client) : value;
    },
  });
  return {
    prisma,
    async close() {
      isClosed = true;
      reused.adapter = null;
      await (await adapter).dispose();
      free.push(reused);
    },
  };
}

function newReused(): Reused {
  const current = async (): Promise<SqlDriverAdapter> => {
    if (reused.adapter === null) throw new Error('the database is closed');
    return reused.adapter;
  };
  const switched: SqlDriverAdapter = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    queryRaw: async (query) => (await current()).queryRaw(query),
    executeRaw: async (query) => (await current()).executeRaw(query),
    executeScript: async (script) => (await current()).executeScript(script),
    startTransaction: async (level) => (await current()).startTransaction(level),
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    dispose: async () => undefined,
  };
  const { provider, adapterName } = switched;
  const client = new PrismaClient({ adapter: { provider, adapterName, connect: async () => switched } });
  const reused: Reused = { client, adapter: null };
  return reused;
}
