// Several hosts flood with large bodies while others report, against the service as `npm start` runs it: raw bodies,
// refused bodies, bombs. Prints the times of /healthz and of ordinary reports, and the memory of the API. `node
// tools/run.mjs lab/benches/body-floods.bench.ts [HOSTS] [SECONDS]`
import { randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import type { EnrolledHost } from '@plimsoll/testing';
import { exampleModel } from './bench-fleet.ts';
import { type BenchService, say, withBenchService } from './bench-service.ts';
import { headersOf, withField } from './hostile-host.ts';
import { percentiles } from './percentiles.ts';
import { forgetPeak, peakMegabytes } from './service-usage.ts';

const [hostCount = '12', seconds = '15'] = process.argv.slice(2);
const mebibyte = 1024 * 1024;
/** Concurrent uploads of each attacker. */
const lanes = 2;
const reporters = 40;
let reports = 0;

interface Flood {
  readonly what: string;
  /** Whether the attackers have used up their allowances before. */
  readonly isRefused: boolean;
  /** The door: the hosts' own, or manual reports by an operator. */
  readonly door: 'agent' | 'manual';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The parameters of the measuring thread: the thread that sends floods is busy. */
interface Measured {
  readonly url: string;
  readonly seconds: number;
  /** Ordinary reports, each with a change, and the token of the sending host. */
  readonly reports: readonly { readonly token: string; readonly body: Uint8Array }[];
}

/** The results, in milliseconds. */
interface Measures {
  readonly health: readonly number[];
  readonly reports: readonly { readonly status: number; readonly ms: number }[];
}

if (isMainThread) await withBenchService(measureAll);
else await measureHere(workerData);

async function measureAll(bench: BenchService): Promise<void> {
  const model = await exampleModel();
  const raw = withField(model, randomBytes(20_000_000));
  const plain = { 'Content-Type': 'application/x-protobuf' };
  const packed = { ...plain, 'Content-Encoding': 'gzip' };
  const text = { 'Content-Type': 'text/plain' };
  const bomb = gzipSync(Buffer.alloc(32 * mebibyte));
  const agents = { isRefused: false, door: 'agent' } as const;
  const operator = { isRefused: false, door: 'manual' } as const;
  const floods: readonly Flood[] = [
    { what: 'raw bodies of 20 MB', ...agents, headers: plain, body: raw },
    { what: 'gzip that unpacks to 30 MB', ...agents, headers: packed, body: packedBody(model) },
    { what: 'bombs', ...agents, headers: packed, body: bomb },
    { what: 'refused raw bodies of 20 MB', ...agents, isRefused: true, headers: plain, body: raw },
    { what: 'reports of 20 MB by an operator', ...operator, headers: text, body: raw },
    {
      what: 'bombs by an operator',
      ...operator,
      headers: { ...text, 'Content-Encoding': 'gzip' },
      body: bomb,
    },
  ];
  const others = await enrolAll(bench, reporters, 'other');
  await measure(bench, others, model, null);
  for (const flood of floods) await measure(bench, others, model, flood);
}

async function measure(
  bench: BenchService,
  others: readonly EnrolledHost[],
  model: Snapshot,
  flood: Flood | null,
): Promise<void> {
  const { service } = bench;
  const attackers = flood === null ? [] : await enrolAll(bench, Number(hostCount), flood.what);
  if (flood?.isRefused === true) await Promise.all(attackers.map((host) => useUp(service.url, host)));
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal);
  const statuses = new Map<number, number>();
  const floods = attackers.flatMap((host) =>
    Array.from({ length: lanes }, () => sendAgain(bench, host, flood, statuses, stopped.signal)),
  );
  const asking = new Worker(new URL(import.meta.url), {
    workerData: {
      url: service.url,
      seconds: Number(seconds),
      reports: reportsOf(others, model),
    } satisfies Measured,
  });
  const pid = service.processes('api')[0]?.pid;
  await forgetPeak(pid);
  const [{ health, reports: posted }] = (await once(asking, 'message')) as [Measures]; // from this file's thread
  const peak = await peakMegabytes(pid);
  stopped.abort();
  await Promise.all(floods);
  const refused = posted.filter(({ status }) => status !== 202).length;
  const answered = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  say(
    `${flood?.what ?? 'no attack'}: /healthz ${percentiles(health)}; reports ${percentiles(posted.map(({ ms }) => ms))}, ${refused} of ${posted.length} refused; API at most ${peak} MiB; attackers were answered ${answered.join(', ')}`,
  );
}

/** 30 MiB that compress to some hundred kilobytes, which is not a bomb. */
function packedBody(model: Snapshot): Buffer {
  const field = Buffer.concat([randomBytes(mebibyte / 2), Buffer.alloc(29 * mebibyte, 'plimsoll')]);
  return gzipSync(withField(model, field));
}

async function enrolAll(
  { client }: BenchService,
  count: number,
  name: string,
): Promise<readonly EnrolledHost[]> {
  const hosts: EnrolledHost[] = [];
  for (let number = 0; number < count; number++)
    hosts.push(await client.enrol(`${name.replaceAll(' ', '-')}-${number}`));
  return hosts;
}

/** Sends invalid uploads until the host is told to wait. */
async function useUp(url: string, { token }: EnrolledHost): Promise<void> {
  const headers = { ...headersOf(token), 'Content-Encoding': 'identity' };
  while ((await post(`${url}/api/v1/agent/snapshots`, headers, Buffer.from([0xff]))) !== 429);
}

async function sendAgain(
  { service, client }: BenchService,
  { id, token }: EnrolledHost,
  flood: Flood | null,
  statuses: Map<number, number>,
  signal: AbortSignal,
): Promise<void> {
  while (flood !== null && !signal.aborted) {
    const isAgent = flood.door === 'agent';
    const url = `${service.url}/api/v1/${isAgent ? 'agent/snapshots' : `hosts/${id}/report`}`;
    const headers = { ...flood.headers, Authorization: isAgent ? `Bearer ${token}` : client.authorization };
    const status = await post(url, headers, flood.body, signal);
    if (!signal.aborted) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await delay(5);
  }
}

/** The status of the answer; 0 without one. Then closes the connection, even if data is left to send. */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  signal?: AbortSignal,
): Promise<number> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent: false,
      ...(signal === undefined ? {} : { signal }),
    });
    sending.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    sending.on('error', () => resolve(0));
    sending.end(body);
  });
}

/** Runs in its own thread. */
async function measureHere(measured: Measured): Promise<void> {
  const end = performance.now() + measured.seconds * 1_000;
  const [health, posted] = await Promise.all([askHealth(measured.url, end), report(measured, end)]);
  parentPort?.postMessage({ health, reports: posted } satisfies Measures);
}

async function askHealth(url: string, end: number): Promise<Measures['health']> {
  const durations: number[] = [];
  while (performance.now() < end) {
    const startedAt = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    durations.push(performance.now() - startedAt);
    await delay(20);
  }
  return durations;
}

async function report({ url, reports: waiting }: Measured, end: number): Promise<Measures['reports']> {
  const posted: Measures['reports'][number][] = [];
  for (const { token, body } of waiting) {
    if (performance.now() > end) break;
    const startedAt = performance.now();
    const status = await post(`${url}/api/v1/agent/snapshots`, headersOf(token), Buffer.from(body));
    posted.push({ status, ms: performance.now() - startedAt });
    await delay(100);
  }
  return posted;
}

/** Enough for ten a second. */
function reportsOf(hosts: readonly EnrolledHost[], model: Snapshot): Measured['reports'] {
  return Array.from({ length: Number(seconds) * 10 }, (_, turn) => {
    reports += 1;
    const moduleStreams = [{ name: 'x', stream: String(reports), enabled: true }];
    const body = gzipSync(encodeSnapshot({ ...model, moduleStreams }));
    return { token: hosts[turn % hosts.length]?.token ?? '', body };
  });
}
