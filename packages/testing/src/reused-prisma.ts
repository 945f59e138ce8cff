import { PrismaClient, type PrismaOnPool, PrismaPg } from '@plimsoll/db';
import type pg from 'pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
/** What Prisma uses of an adapter. */
type SqlDriverAdapter = Pick<
  Adapter,
  | 'provider'
  | 'adapterName'
  | 'queryRaw'
  | 'executeRaw'
  | 'executeScript'
  | 'startTransaction'
  | 'getConnectionInfo'
  | 'dispose'
>;

interface Reused {
  readonly client: PrismaClient;
  /** The pool's adapter; null while no database has the client. */
  adapter: Promise<SqlDriverAdapter> | null;
}

const free: Reused[] = [];

/**
 * A client that was made for an earlier database of this process and is on another pool now: its schema and the plans of its
 * queries are read once, which is most of what a new client costs. Using it after `close` throws.
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
