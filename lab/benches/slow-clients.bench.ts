// Anonymous clients that send byte by byte, stay silent or do not read, each kind separately and then all together,
// while another client requests /healthz and the hosts. Against its own service, or a fresh one at URL. `npm run bench
// -- slow-clients [SECONDS] [SOCKETS] [URL]`
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, setUpClient } from '@plimsoll/testing';
import { readGauges, say, withBenchService } from './bench-service.ts';
import { percentiles } from './percentiles.ts';
import { type Attack, attack, behaviours } from './slow-attacks.ts';

const [seconds = '20', sockets = '1000', url] = process.argv.slice(2);
/** Pause between two requests of the measured client, in milliseconds. */
const pauseMs = 50;

if (url === undefined) await withBenchService(({ service, client }) => measureAll(service.url, client));
else await measureAll(url, await setUpClient(url));

async function measureAll(base: string, client: Client): Promise<void> {
  await measure(base, client, 'no attack', []);
  for (const behaviour of behaviours) {
    await measure(base, client, behaviour.what, [attack(base, Number(sockets), behaviour)]);
  }
  const share = Math.ceil(Number(sockets) / behaviours.length);
  const all = behaviours.map((behaviour) => attack(base, share, behaviour));
  await measure(base, client, 'all of them', all);
  await delay(2_000);
  say(`afterwards: ${await gauges(base)}`);
}

/** Sends requests for the given time, ends the attacks, and prints how long answers took. */
async function measure(
  base: string,
  client: Client,
  what: string,
  attacks: readonly Attack[],
): Promise<void> {
  const end = performance.now() + Number(seconds) * 1_000;
  const [health, hosts] = await Promise.all([
    ask(end, () => fetch(`${base}/healthz`, { signal: AbortSignal.timeout(10_000) })),
    ask(end, () => client.get('/hosts')),
  ]);
  const during = await gauges(base);
  const ended = attacks.map((one) => one.stop());
  const closed = ended.reduce((sum, one) => sum + one.closed, 0);
  const opened = ended.reduce((sum, one) => sum + one.opened, 0);
  say(`${what}: /healthz ${health}; hosts ${hosts}; closed ${closed} of ${opened}; ${during}`);
}

async function ask(end: number, send: () => Promise<{ readonly status: number }>): Promise<string> {
  const durations: number[] = [];
  let failed = 0;
  while (performance.now() < end) {
    const startedAt = performance.now();
    const status = await send().then(
      (answer) => answer.status,
      () => 0,
    );
    durations.push(performance.now() - startedAt);
    if (status !== 200) failed += 1;
    await delay(pauseMs);
  }
  return `${percentiles(durations)}, ${failed} of ${durations.length} failed`;
}

/** The service's own figures for connections, files and memory. */
async function gauges(base: string): Promise<string> {
  const value = await readGauges(base);
  const megabytes = Math.round(value('process_resident_memory_bytes') / 2 ** 20);
  return `${value('plimsoll_api_connections')} connections, ${value('process_open_fds')} files, ${megabytes} MB`;
}
