// A fleet that is due at once, pulled by the whole service on this machine from one real sshd: the duration
// with one ssh-worker and with two, the worker's memory, and the API's latency meanwhile. The hosts answer
// with a stored report, so that only pulling is measured. `npm run bench -- ssh-pulls [HOSTS] [SESSIONS]`
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Database } from '@plimsoll/db';
import { type Client, createTestLogin, currentLogin, startSshd } from '@plimsoll/testing';
import { projectDir, say, withBenchService, withDatabase } from './bench-service.ts';
import { percentiles } from './percentiles.ts';
import { peakMegabytes } from './service-usage.ts';

const [hostCount = '500', sessions = '200'] = process.argv.slice(2);

const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-'));
const sshd = await startSshd();
// An account without a profile that would be measured too.
const isRoot = process.getuid?.() === 0;
const login = isRoot ? await createTestLogin('/bin/sh') : currentLogin();
const settings = {
  PLIMSOLL_SSH_ALLOWED_NETWORKS: '127.0.0.0/8',
  PLIMSOLL_SSH_WORKER_CONCURRENCY: sessions,
};
try {
  await withBenchService(async (bench) => {
    const { client, service } = bench;
    await addHosts(client);
    say(`API alone: ${await latencies(client, 3_000)}`);
    await withDatabase(bench, async (database) => {
      await measurePulls(client, database, 'one worker');
      say(`the worker at most ${await peakMegabytes(service.processes('ssh-worker')[0]?.pid)} MB`);
      service.start('ssh-worker');
      await delay(3_000);
      await measurePulls(client, database, 'two workers');
    });
  }, settings);
} finally {
  await sshd.stop();
  await login.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Every host accepts the installation's key and prints the report of this machine. */
async function addHosts(client: Client): Promise<void> {
  const report = path.join(isRoot ? login.home : folder, 'report');
  const agent = path.join(projectDir, 'apps/agent/dist/plimsoll-agent');
  const { stdout } = await promisify(execFile)('sh', [agent, 'report'], { maxBuffer: 64 * 1024 * 1024 });
  await writeFile(report, stdout, { mode: 0o644 });
  let publicKey = '';
  for (let index = 0; index < Number(hostCount); index++) {
    const { body } = await client.send('POST', '/hosts/ssh', {
      display_name: `bench-${index}`,
      hostname: '127.0.0.1',
      port: sshd.port,
      ssh_user: login.user,
      frequency_minutes: 1440,
    });
    publicKey = (body as { public_key: string }).public_key;
  }
  await sshd.setAuthorizedKeys(`restrict,command="cat ${report}" ${publicKey}\n`);
  say(
    `${hostCount} hosts, a report of ${Math.round(stdout.length / 1024)} KiB, ${sessions} sessions a worker`,
  );
}

async function measurePulls(client: Client, { pool }: Database, what: string): Promise<void> {
  await pool.query('DELETE FROM pull_jobs');
  await pool.query('UPDATE ssh_targets SET next_pull_at = now()');
  const startedAt = performance.now();
  const meanwhile = latencies(client, 8_000);
  const collected = await until(
    pool,
    "status <> 'queued' AND (status <> 'running' OR upload_id IS NOT NULL)",
    startedAt,
  );
  const ended = await until(pool, "status IN ('succeeded', 'failed')", startedAt);
  const { rows } = await pool.query<{ outcome: string; n: number }>(
    'SELECT coalesce(error_code, status) AS outcome, count(*)::int AS n FROM pull_jobs GROUP BY 1',
  );
  const outcomes = rows.map(({ outcome, n }) => `${n} ${outcome}`).join(', ');
  say(
    `${what}: all pulled in ${collected} s, all matched in ${ended} s: ${outcomes}. API meanwhile: ${await meanwhile}`,
  );
}

async function until(pool: Database['pool'], condition: string, startedAt: number): Promise<string> {
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pull_jobs WHERE ${condition}`,
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    if (rows[0]?.n === Number(hostCount)) return seconds.toFixed(1);
    if (seconds > 600) throw new Error(`only ${rows[0]?.n} of ${hostCount} after ten minutes`);
    await delay(100);
  }
}

/** Latencies of the first page of hosts, requested repeatedly. */
async function latencies(client: Client, forMs: number): Promise<string> {
  const taken: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const startedAt = performance.now();
    await client.get('/hosts?limit=100');
    taken.push(performance.now() - startedAt);
    await delay(20);
  }
  return `${percentiles(taken)} of ${taken.length} requests`;
}
