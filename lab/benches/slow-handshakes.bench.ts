// Anonymous clients that do not finish a TLS handshake, repeat handshakes, or finish and stay silent, each
// kind separately, while another client opens a connection for each request of /healthz, against the API with
// its own TLS. `npm run bench -- slow-handshakes [SECONDS] [SOCKETS] [NICENESS]`: 0 to 19, for the attackers
// only, to separate their own processor time from their cost for the API.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { loadavg, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startPostgres } from '@plimsoll/embedded';
import { migrateTestDatabase, startService } from '@plimsoll/testing';
import { projectDir, say } from './bench-service.ts';
import { percentiles } from './percentiles.ts';
import { attackWithTls, type TlsBehaviour, tlsBehaviours } from './tls-attacks.ts';

const [seconds = '15', sockets = '1500', niceness = '0'] = process.argv.slice(2);
/** Pause between two requests of the measured client, in milliseconds. */
const pauseMs = 20;

interface Attackers {
  readonly port: number;
  readonly sockets: number;
  readonly behaviour: TlsBehaviour;
}

if (isMainThread) await withTlsService(measureAll);
else await attackHere(workerData);

/** Runs the API alone with a new certificate with an RSA key, the most expensive of the usual ones. */
async function withTlsService(work: (port: number, ca: Buffer) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-bench-tls-'));
  const output = ['-keyout', 'key.pem', '-out', 'cert.pem', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...output, ...subject], {
    cwd: folder,
    stdio: 'ignore',
  });
  const postgres = await startPostgres({ dataDir: folder, onLog: () => undefined });
  try {
    await migrateTestDatabase(postgres.url, projectDir);
    const env = {
      PLIMSOLL_API_TLS_CERT_FILE: path.join(folder, 'cert.pem'),
      PLIMSOLL_API_TLS_KEY_FILE: path.join(folder, 'key.pem'),
    };
    const queue = { kind: 'postgres' } as const;
    const service = await startService({
      projectDir,
      databaseUrl: postgres.url,
      queue,
      apps: ['api'],
      env,
    });
    try {
      await work(Number(new URL(service.url).port), readFileSync(env.PLIMSOLL_API_TLS_CERT_FILE));
    } finally {
      await service.stop();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureAll(port: number, ca: Buffer): Promise<void> {
  say(`no attack: ${await measure(port, ca)}`);
  for (const behaviour of tlsBehaviours) {
    const attackers: Attackers = { port, sockets: Number(sockets), behaviour };
    const attacking = new Worker(new URL(import.meta.url), { workerData: attackers });
    const ended = new Promise((resolve) => attacking.once('message', resolve));
    const figures = await measure(port, ca);
    attacking.postMessage('stop');
    say(`${behaviour.what}: ${figures}; ${await ended}`);
    await attacking.terminate();
  }
}

/**
 * Requests /healthz for the given time, and prints the durations of these requests and of turns of the event
 * loop.
 */
async function measure(port: number, ca: Buffer): Promise<string> {
  const end = performance.now() + Number(seconds) * 1_000;
  const durations: number[] = [];
  let failed = 0;
  await ask(port, ca, '/metrics');
  while (performance.now() < end) {
    const startedAt = performance.now();
    await ask(port, ca, '/healthz').catch(() => {
      failed += 1;
    });
    durations.push(performance.now() - startedAt);
    await delay(pauseMs);
  }
  const metrics = await ask(port, ca, '/metrics');
  const value = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  return [
    `/healthz ${percentiles(durations)}, ${failed} of ${durations.length} failed`,
    `longest stall of the event loop ${Math.round(value('nodejs_eventloop_lag_max_seconds') * 1_000)} ms`,
    `${value('plimsoll_api_connections')} connections`,
    `${Math.round(value('process_resident_memory_bytes') / 2 ** 20)} MB`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ].join('; ');
}

function ask(port: number, ca: Buffer, route: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: route, ca, agent: false, timeout: 10_000 };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.end();
  });
}

/**
 * Runs in its own thread with its own priority, so that the measured client does not wait for the attackers.
 */
async function attackHere({ port, sockets: count, behaviour }: Attackers): Promise<void> {
  setPriority(Number(niceness));
  const attack = await attackWithTls(port, count, behaviour);
  parentPort?.once('message', () => {
    const { opened, closed } = attack.stop();
    parentPort?.postMessage(`closed ${closed} of ${opened}`);
  });
}
