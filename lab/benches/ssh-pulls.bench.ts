// A fleet that is due at once, pulled by the whole service on this machine from one real sshd: the duration
// with one ssh-worker and with two, the worker's memory, and the API's latency meanwhile. The hosts answer
// with a stored report, so that only pulling is measured. `npm run bench -- ssh-pulls [HOSTS] [SESSIONS]`
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '@plimsoll/db';
import { startPostgres, startRedis } from '@plimsoll/embedded';
import {
  type Client,
  createTestLogin,
  currentLogin,
  migrateTestDatabase,
  setUpClient,
  startService,
  startSshd,
} from '@plimsoll/testing';
import { percentiles } from './percentiles.ts';
import { peakMegabytes } from './service-usage.ts';

const projectDir = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const [hostCount = '500', sessions = '200'] = process.argv.slice(2);

const dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-'));
const log: string[] = [];
const onLog = (text: string): void => void log.push(text);
const postgres = await startPostgres({ dataDir, onLog });
const redis = await startRedis({ dataDir, searchPath: process.env['PATH'] ?? '', onLog });
const sshd = await startSshd();
// An account without a profile that would be measured too.
const isRoot = process.getuid?.() === 0;
const login = isRoot ? await createTestLogin('/bin/sh') : currentLogin();
const db = openDatabase({
  databaseUrl: postgres.url,
  poolSize: 2,
  applicationName: 'plimsoll bench',
  onIdleError: (error) => onLog(error.message),
});
try {
  await migrateTestDatabase(postgres.url, projectDir);
  const queue =
    redis === null ? ({ kind: 'postgres' } as const) : ({ kind: 'redis', url: redis.url } as const);
  const service = await startService({
    projectDir,
    databaseUrl: postgres.url,
    queue,
    env: {
      PLIMSOLL_SSH_ALLOWED_NETWORKS: '127.0.0.0/8',
      PLIMSOLL_SSH_WORKER_CONCURRENCY: sessions,
    },
  });
  try {
    const memory = Math.round(totalmem() / 2 ** 30);
    say(`${cpus().length} cores, ${memory} GiB, Node ${process.versions.node}, queue on ${queue.kind}`);
    const client = await setUpClient(service.url);
    await addHosts(client);
    say(`API alone: ${await latencies(client, 3_000)}`);
    await measurePulls(client, 'one worker');
    say(`the worker at most ${await peakMegabytes(service.processes('ssh-worker')[0]?.pid)} MB`);
    service.start('ssh-worker');
    await delay(3_000);
    await measurePulls(client, 'two workers');
  } finally {
    await service.stop();
  }
} finally {
  await db.close();
  await sshd.stop();
  await login.remove();
  await redis?.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Every host accepts the installation's key and prints the report of this machine. */
async function addHosts(client: Client): Promise<void> {
  const report = path.join(isRoot ? login.home : dataDir, 'report');
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

async function measurePulls(client: Client, what: string): Promise<void> {
  await db.pool.query('DELETE FROM pull_jobs');
  await db.pool.query('UPDATE ssh_targets SET next_pull_at = now()');
  const startedAt = performance.now();
  const meanwhile = latencies(client, 8_000);
  const collected = await until(
    "status <> 'queued' AND (status <> 'running' OR upload_id IS NOT NULL)",
    startedAt,
  );
  const ended = await until("status IN ('succeeded', 'failed')", startedAt);
  const { rows } = await db.pool.query<{ outcome: string; n: number }>(
    'SELECT coalesce(error_code, status) AS outcome, count(*)::int AS n FROM pull_jobs GROUP BY 1',
  );
  const outcomes = rows.map(({ outcome, n }) => `${n} ${outcome}`).join(', ');
  say(
    `${what}: all pulled in ${collected} s, all matched in ${ended} s: ${outcomes}. API meanwhile: ${await meanwhile}`,
  );
}

async function until(condition: string, startedAt: number): Promise<string> {
  for (;;) {
    const { rows } = await db.pool.query<{ n: number }>(
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
