import {
  createPostgresBackend as createBullBackend,
  type PgPool,
  type PostgresConnectionOptions,
  Queue,
  type QueueBaseOptions,
  runMigrations,
  Worker,
} from 'bullmq';
import pg from 'pg';
import type { Backend } from './backend.ts';
import { openReceiver, openSender, processorOf, queueOptions, workerOptions } from './bull.ts';
import { idleSleepS, PatientPostgresBackend } from './patient-postgres-backend.ts';

/** Where BullMQ keeps its tables; it cannot be changed for pools that are ours. */
const schema = 'bullmq';

const connectTimeoutMs = 5_000;
const queryTimeoutMs = 10_000;

/**
 * The queue in PostgreSQL 14 or newer, in the schema `bullmq` of the given database, which is created and migrated at
 * the first use. Senders share up to two connections; each receiver has up to four of its own, one of them listening.
 */
export function createPostgresBackend(options: {
  readonly url: string;
  readonly onError: (error: unknown) => void;
}): Backend {
  const { url, onError } = options;
  const pool = openPool(url, 2);
  pool.on('error', onError);
  let migrated: Promise<void> | undefined;
  const migrate = () => {
    migrated ??= migrateOnce(pool).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    return migrated;
  };
  return {
    isReachable: () => true,
    ping: async () => {
      await pool.query('SELECT 1');
    },
    openSender: async (job, spec, signal) => {
      await migrate();
      const queue = new Queue(job, { ...queueOptions(spec), connection: forBull(pool) }, createBullBackend);
      return openSender(job, spec, queue, signal);
    },
    openReceiver: async (job, spec, concurrency, listener, signal) => {
      await migrate();
      const own = openPool(url, 4);
      try {
        const worker = new Worker(
          job,
          processorOf(listener),
          { ...workerOptions(spec, concurrency), drainDelay: idleSleepS, connection: forBull(own) },
          (queue, base: QueueBaseOptions<PostgresConnectionOptions>) =>
            new PatientPostgresBackend({ queue, base, exclusive: spec.exclusive }),
        );
        const receiver = await openReceiver(worker, listener, signal);
        return {
          close: async () => {
            await receiver.close();
            await own.end();
          },
          disconnect: async () => {
            await receiver.disconnect();
            await own.end();
          },
        };
      } catch (error) {
        await own.end();
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

function openPool(url: string, max: number): pg.Pool {
  const address = new URL(url);
  // The queue is a bell: what a crash of the server takes of it is rung again, so no commit waits for the disk.
  const settings = [`-c search_path=${schema}`, '-c synchronous_commit=off'];
  address.searchParams.set(
    'options',
    [address.searchParams.get('options') ?? '', ...settings].join(' ').trim(),
  );
  return new pg.Pool({
    connectionString: address.href,
    max,
    application_name: 'plimsoll queue',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
}

/** The same pool: BullMQ says pg's types over again, only with overloads where pg has a generic. */
function forBull(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool; // see above
}

/** BullMQ migrates in one transaction under an advisory lock, so that processes which start at once do not meet. */
async function migrateOnce(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    client.release();
  }
}
