// The whole service on this machine, as `npm start` runs it: a feed's import, uploads from 202 to matched, unchanged
// uploads, and then, with that fleet, 100 changed records and a feed of which every record changed.
// `node tools/run.mjs benches/service.bench.ts [FEED-FILE] [HOSTS]`
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { applyMigrations } from '@plimsoll/db';
import { startPostgres, startRedis } from '@plimsoll/embedded';
import { decodeSnapshot, encodeSnapshot } from '@plimsoll/reports';
import {
  type Client,
  type EnrolledHost,
  setUpClient,
  startService,
  type TestService,
} from '@plimsoll/testing';
import { readRecords } from '../apps/advisory-worker/src/records/read-records.ts';

const projectDir = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const [feedFile = path.join(projectDir, 'examples/debian-advisories.jsonl.gz'), hostCount = '200'] =
  process.argv.slice(2);

const dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-'));
const log: string[] = [];
const postgres = await startPostgres({ dataDir, onLog: (text) => log.push(text) });
const redis = await startRedis({
  dataDir,
  searchPath: process.env['PATH'] ?? '',
  onLog: (text) => log.push(text),
});
try {
  await applyMigrations({
    databaseUrl: postgres.url,
    migrationsDir: path.join(projectDir, 'prisma/migrations'),
  });
  const queue =
    redis === null ? ({ kind: 'postgres' } as const) : ({ kind: 'redis', url: redis.url } as const);
  const service = await startService({ projectDir, databaseUrl: postgres.url, queue });
  try {
    const memory = Math.round(totalmem() / 2 ** 30);
    say(`${cpus().length} cores, ${memory} GiB, Node ${process.versions.node}, queue on ${queue.kind}`);
    const client = await setUpClient(service.url);
    const file = await readFile(feedFile);
    await measureImport(service, client, { what: 'first import', file });
    await measureImport(service, client, { what: 'the same again', file });
    await measureUploads(client);
    const records = await readAll(feedFile);
    const few = records.filter((_, index) => index % Math.ceil(records.length / 100) === 0);
    await measureImport(service, client, { what: `${few.length} changed records`, file: changed(few) });
    await measureImport(service, client, { what: 'every record changed', file: changed(records) });
  } finally {
    await service.stop();
  }
} finally {
  await redis?.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureImport(
  service: TestService,
  client: Client,
  { what, file }: { readonly what: string; readonly file: Uint8Array },
): Promise<void> {
  const startedAt = performance.now();
  const { body: answer } = await client.importFeed(file);
  let body = answer;
  while (!isEnded(body)) {
    await pause();
    ({ body } = await client.get(`/feeds/imports/${fieldOf(body, 'import_id')}`));
  }
  const [worker] = service.processes('advisory-worker');
  say(
    `${what}: ${elapsed(startedAt)} s, advisory-worker at most ${await peakMegabytes(worker?.pid)} MB, ${JSON.stringify(body)}`,
  );
}

function isEnded(answer: unknown): boolean {
  return ['done', 'failed'].includes(fieldOf(answer, 'status'));
}

function fieldOf(answer: unknown, field: string): string {
  return String(new Map(Object.entries(answer ?? {})).get(field));
}

async function readAll(file: string): Promise<readonly object[]> {
  const records: object[] = [];
  for await (const record of readRecords(file))
    if (record.kind === 'record' && typeof record.json === 'object' && record.json !== null)
      records.push(record.json);
  return records;
}

/** The records as a vendor changes them: newer, and fixed one rebuild later. */
function changed(records: readonly object[]): Uint8Array {
  const modified = new Date().toISOString();
  const lines = records.map((record) =>
    JSON.stringify({ ...record, modified }).replaceAll(/("fixed":"[^"]*)"/g, '$1+1"'),
  );
  return gzipSync(lines.join('\n'), { level: 1 });
}

async function measureUploads(client: Client): Promise<void> {
  const snapshots = await makeSnapshots(Number(hostCount));
  const hosts: EnrolledHost[] = [];
  for (const [index] of snapshots.entries()) hosts.push(await client.enrol(`bench-${index}`));
  const startedAt = performance.now();
  await uploadAll(client, hosts, snapshots, 'new snapshots accepted');
  while ((await waiting(client)) > 0) await pause();
  const seconds = (performance.now() - startedAt) / 1_000;
  say(
    `${hosts.length} new snapshots matched: ${seconds.toFixed(1)} s, ${Math.round(hosts.length / seconds)} a second`,
  );
  await uploadAll(client, hosts, snapshots, 'unchanged snapshots confirmed');
}

/** Real machines that differ in one package each. */
async function makeSnapshots(count: number): Promise<readonly Uint8Array[]> {
  const example = gunzipSync(await readFile(path.join(projectDir, 'examples/debian-12.snapshot.pb.gz')));
  const decoded = decodeSnapshot(example, { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new Error('the example is broken');
  const { snapshot } = decoded;
  const [first] = snapshot.packages;
  if (first === undefined) throw new Error('the example is empty');
  return Array.from({ length: count }, (_, index) =>
    encodeSnapshot({
      ...snapshot,
      packages: [...snapshot.packages, { ...first, name: 'bench', version: `1.${index}` }],
    }),
  );
}

async function uploadAll(
  client: Client,
  hosts: readonly EnrolledHost[],
  snapshots: readonly Uint8Array[],
  what: string,
): Promise<void> {
  const durations: number[] = [];
  const startedAt = performance.now();
  const queue = hosts.entries();
  const lane = async () => {
    for (const [index, host] of queue) {
      const sentAt = performance.now();
      const { status } = await client.upload(host.token, snapshots[index] ?? new Uint8Array());
      if (status !== 202) throw new Error(`upload ${index} was answered ${status}`);
      durations.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  durations.sort((a, b) => a - b);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${what}: ${Math.round(hosts.length / seconds)} a second, p99 ${Math.round(p99)} ms`);
}

/** How many hosts have no matched snapshot yet. */
async function waiting(client: Client): Promise<number> {
  const { headers } = await client.get('/hosts?status=new&limit=1');
  return Number(headers.get('x-total-count'));
}

async function peakMegabytes(pid: number | undefined): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return String(Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024));
}

function elapsed(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
