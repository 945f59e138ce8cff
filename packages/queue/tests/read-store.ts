import { testRedisUrl } from '@plimsoll/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { QueueBackend } from '../src/index.ts';

/** The stored content of one job's queue: the number of jobs, and BullMQ's own event log as text. */
export async function readStore(
  where: QueueBackend,
  job: string,
): Promise<{ readonly jobs: number; readonly events: readonly string[] }> {
  return where.kind === 'postgres'
    ? readPostgres(where.url, job)
    : readRedis(testRedisUrl() ?? where.url, `${where.prefix}:${job}:`);
}

async function readPostgres(url: string, job: string): Promise<{ jobs: number; events: string[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const jobs = await client.query('SELECT 1 FROM bullmq.job WHERE queue = $1', [job]);
    const events = await client.query(
      'SELECT event || data::text AS text FROM bullmq.event WHERE queue = $1',
      [job],
    );
    return { jobs: jobs.rows.length, events: events.rows.map((row: { text: string }) => row.text) };
  } finally {
    await client.end();
  }
}

/**
 * Suffixes of BullMQ keys that are not jobs; all other keys below the prefix are (BullMQ's documentation, QueueKeys).
 */
const noJobs = new Set([
  'meta',
  'events',
  'id',
  'marker',
  'stalled',
  'stalled-check',
  'active',
  'wait',
  'delayed',
]);

/** Reads as the administrator of the run's Redis, because apps may not list keys. */
async function readRedis(url: string, prefix: string): Promise<{ jobs: number; events: string[] }> {
  const client = new Redis(url);
  try {
    const keys = await client.keys(`${prefix}*`);
    const jobs = keys.filter((key) => !noJobs.has(key.slice(prefix.length)));
    const events = await client.xrange(`${prefix}events`, '-', '+');
    return { jobs: jobs.length, events: events.map((event) => JSON.stringify(event)) };
  } finally {
    client.disconnect();
  }
}
