// Floods of raw bodies of 20 MB, three times against one API, then reports of 20 MB by an operator, against the service
// as `npm start` runs it. Prints the memory of the API after each flood and after a quiet minute, and the longest stall of
// its event loop. `npm run bench -- flood-memory [HOSTS] [SECONDS]`; MALLOC_ARENA_MAX is passed on to the apps.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { exampleModel } from './bench-fleet.ts';
import { type BenchService, readGauges, say, withBenchService } from './bench-service.ts';
import { withField } from './hostile-host.ts';

const [hostCount = '12', seconds = '10'] = process.argv.slice(2);
/** Concurrent uploads of each host. */
const lanes = 2;
const arenas = process.env['MALLOC_ARENA_MAX'];
const environment: Readonly<Record<string, string>> =
  arenas === undefined ? {} : { MALLOC_ARENA_MAX: arenas };

await withBenchService(async (bench) => {
  const body = withField(await exampleModel(), randomBytes(20_000_000));
  say(`MALLOC_ARENA_MAX ${arenas ?? 'unset'}; before: ${await memoryOf(bench)}`);
  for (const round of [1, 2, 3]) {
    await flood(bench, 'agent', `raw-${round}`, body);
    say(`after raw flood ${round}: ${await memoryOf(bench)}`);
  }
  await delay(60_000);
  say(`after a quiet minute: ${await memoryOf(bench)}`);
  await flood(bench, 'manual', 'operator', body);
  say(`after reports by an operator: ${await memoryOf(bench)}`);
}, environment);

async function flood(
  { service, client }: BenchService,
  door: 'agent' | 'manual',
  name: string,
  body: Buffer,
): Promise<void> {
  const type = door === 'agent' ? 'application/x-protobuf' : 'text/plain';
  const lane = async ({ id, token }: { readonly id: string; readonly token: string }, end: number) => {
    const url = `${service.url}/api/v1/${door === 'agent' ? 'agent/snapshots' : `hosts/${id}/report`}`;
    const credential = door === 'agent' ? `Bearer ${token}` : client.authorization;
    while (performance.now() < end) {
      await post(url, { 'Content-Type': type, Authorization: credential }, body);
      await delay(5);
    }
  };
  const hosts = await Promise.all(
    Array.from({ length: Number(hostCount) }, (_, number) => client.enrol(`${name}-${number}`)),
  );
  const end = performance.now() + Number(seconds) * 1_000;
  await Promise.all(hosts.flatMap((host) => Array.from({ length: lanes }, () => lane(host, end))));
}

/** Resolves when the connection has ended; its answer is ignored. */
function post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const length = { 'Content-Length': body.length };
    const sending = request(url, { method: 'POST', headers: { ...headers, ...length }, agent: false });
    sending.on('response', (response) => response.resume());
    sending.on('error', () => undefined).on('close', resolve);
    sending.end(body);
  });
}

/** The API's memory in MiB, and its longest stall since the last call. */
async function memoryOf({ service }: BenchService): Promise<string> {
  const value = await readGauges(service.url);
  const mebibytes = (name: string) => `${Math.round(value(name) / 2 ** 20)} MiB`;
  return [
    `resident ${mebibytes('process_resident_memory_bytes')}`,
    `heap ${mebibytes('nodejs_heap_size_used_bytes')}`,
    `external with array buffers ${mebibytes('nodejs_external_memory_bytes')}`,
    `longest stall ${Math.round(value('nodejs_eventloop_lag_max_seconds') * 1_000)} ms`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ].join(', ');
}
