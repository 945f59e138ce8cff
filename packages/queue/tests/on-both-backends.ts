import { randomUUID } from 'node:crypto';
import { describeWhere, testPostgresUrl, testRedisUrl } from '@plimsoll/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { QueueBackend } from '../src/index.ts';
import { redisRules } from '../src/redis-users.ts';
import { testJobs } from './test-jobs.ts';

const redisUrl = testRedisUrl();
/** What this machine lacks for tests on Redis. */
export const missingForRedis: readonly string[] = redisUrl === null ? ['redis-server'] : [];

/** Runs the same tests on PostgreSQL and, if this run has one, on Redis. `fresh` creates a backend without jobs. */
export function onBothBackends(title: string, tests: (fresh: () => Promise<QueueBackend>) => void): void {
  describe(`${title}, on PostgreSQL`, () => tests(freshPostgres));
  describeWhere(missingForRedis, `${title}, on Redis`, () => tests(() => freshRedis(redisUrl ?? '')));
}

/** A prefix without keys, and a user with the permissions of an app. */
async function freshRedis(adminUrl: string): Promise<QueueBackend> {
  const prefix = `{${randomUUID()}}`;
  const url = new URL(adminUrl);
  url.username = randomUUID();
  url.password = randomUUID();
  const admin = new Redis(adminUrl);
  const rules = redisRules(Object.keys(testJobs), prefix).split(' ');
  await admin.call('ACL', 'SETUSER', url.username, 'reset', 'on', `>${url.password}`, ...rules);
  admin.disconnect();
  return { kind: 'redis', url: url.href, prefix };
}

/** An empty database on the server of this test run, which ends with the run. */
export async function freshPostgres(): Promise<QueueBackend> {
  const name = `queue_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: testPostgresUrl() });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(testPostgresUrl());
  url.pathname = `/${name}`;
  return { kind: 'postgres', url: url.href };
}
