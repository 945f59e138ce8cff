import { clockAheadMs } from '@plimsoll/model';
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
import { jobs } from './jobs.ts';
import { idleSleepS, PatientPostgresBackend } from './patient-postgres-backend.ts';

/** The schema of BullMQ's tables. It cannot be changed if BullMQ gets an existing pool. */
const schema = 'bullmq';

/** More queues than a registry has. */
const mostQueues = 100;
const connectTimeoutMs = 5_000;
const queryTimeoutMs = 10_000;

/**
 * The queue in PostgreSQL 14 or newer, in the schema `bullmq` of the given database. A user who may create schemas
 * creates and migrates it at first use; for other users, run `migrateQueue` first. Senders share up to two connections;
 * each receiver has up to four of its own, one of which listens.
 */
export function createPostgresBackend(options: {
  readonly url: string;
  readonly onError: (error: unknown) => void;
}): Backend {
  const { url, onError } = options;
  const pool = openPool(url, 2);
  pool.on('error', onError);
  // The queue of each job adds a listener; Node.js takes more than 10 for a leak.
  pool.setMaxListeners(mostQueues);
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
    memory: async () => null,
    ping: async () => {
      await pool.query('SELECT 1');
    },
    openSender: async (job, spec, signal) => {
      await migrate();
      const queue = new Queue(job, { ...queueOptions(spec), connection: forBull(pool) }, createBullBackend);
      const sender = await openSender(job, spec, queue, signal);
      return {
        ...sender,
        async freeHeld() {
          await sender.freeHeld();
          // A worker stores when its lock expires, and when it looked for dead ones, by its own clock.
          const ahead = [job, Date.now() + clockAheadMs];
          await pool.query(
            'UPDATE job SET locked_until_ms = 0 WHERE queue = $1 AND locked_until_ms > $2',
            ahead,
          );
          await pool.query(
            "DELETE FROM meta WHERE queue = $1 AND field = 'stalled-check' AND value::bigint > $2",
            ahead,
          );
        },
      };
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

/**
 * Creates or migrates the queue's tables, for apps whose role may not. They belong to `role` or, if it is null, to the
 * URL's user. Safe to call from several processes at once.
 */
export async function migrateQueue(url: string, role: string | null): Promise<void> {
  const pool = openPool(url, 1, role === null ? [] : [`-c role=${role}`]);
  // Of a connection that broke, the running or the next statement reports it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrationsIn(pool);
    // BullMQ creates a sequence at the first job of a queue, which roles without the right to create objects could not
    // do.
    for (const job of Object.keys(jobs)) await pool.query('SELECT next_job_id($1)', [job]);
  } finally {
    await pool.end();
  }
}

function openPool(url: string, max: number, more: readonly string[] = []): pg.Pool {
  const address = new URL(url);
  // A ring lost in a crash of the server is rung again, so commits need not wait for the disk.
  const settings = [`-c search_path=${schema}`, '-c synchronous_commit=off', ...more];
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

/** The same pool with another type: BullMQ declares pg's types with overloads where pg has a generic. */
function forBull(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool; // see above
}

async function migrateOnce(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ mayCreate: boolean }>(
    `SELECT has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`,
  );
  // Without this right, even "create if not exists" fails. BullMQ reports missing or outdated tables itself.
  if (rows[0]?.mayCreate === true) await runMigrationsIn(pool);
}

/** BullMQ migrates in one transaction under an advisory lock, so processes that start at once do not conflict. */
async function runMigrationsIn(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    client.release();
  }
}
