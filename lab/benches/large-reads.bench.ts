// A viewer makes 24 concurrent reads of the packages of a large host, another one reads slowly, and 30 connections
// pipeline authenticated requests, each separately, while another client requests /healthz. `npm run bench --
// large-reads [SECONDS] [PACKAGES]`
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeSnapshot } from '@plimsoll/reports';
import type { Client } from '@plimsoll/testing';
import { exampleModel, waitingHosts } from './bench-fleet.ts';
import { readGauges, say, withBenchService } from './bench-service.ts';
import { percentiles } from './percentiles.ts';

const [seconds = '20', packageCount = '50000'] = process.argv.slice(2);
const pauseMs = 20;

const settings = { PLIMSOLL_UPLOADS_NEW_PACKAGES_PER_DAY: '1000000' };
await withBenchService(async ({ service, client }) => {
  const hostId = await largeHost(client, Number(packageCount));
  const packages = `GET /api/v1/hosts/${hostId}/packages`;
  const names = 'GET /api/v1/auth/me';
  await measure(service.url, 'no reads', []);
  await measure(
    service.url,
    '24 large reads of one viewer',
    keep(service.url, client, packages, 24, 1, true),
  );
  await measure(service.url, '30 connections that pipeline', keep(service.url, client, names, 30, 5, true));
  await measure(service.url, '24 slow readers', keep(service.url, client, packages, 24, 1, false));
}, settings);

/**
 * A host with this many packages that no other host has. The setting for new packages
 * per day is raised for this service.
 */
async function largeHost(client: Client, count: number): Promise<string> {
  const model = await exampleModel();
  const [first] = model.packages;
  if (first === undefined) throw new Error('the example machine has no packages');
  const packages = Array.from({ length: count }, (_, n) => ({ ...first, name: `large-${n}` }));
  const host = await client.enrol('large');
  await client.upload(host.token, encodeSnapshot({ ...model, packages, upgrades: [] }));
  while ((await waitingHosts(client)) > 0) {
    const { body } = await client.get(`/hosts/${host.id}/uploads`);
    if (JSON.stringify(body).includes('"rejected"'))
      throw new Error(`upload rejected: ${JSON.stringify(body)}`);
    await delay(100);
  }
  return host.id;
}

/** Keeps connections that send several requests at a time, and again once they are answered or closed. */
function keep(
  url: string,
  client: Client,
  line: string,
  connections: number,
  atOnce: number,
  reads: boolean,
): readonly net.Socket[] {
  const { hostname, port } = new URL(url);
  const request = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: ${client.authorization}\r\n\r\n`;
  return Array.from({ length: connections }, () => {
    const socket = net.connect({ port: Number(port), host: hostname });
    socket.on('error', () => undefined);
    let answered = 0;
    socket.on('data', (piece) => {
      // Each answer has one head; chunks may hide another one behind it, which costs the attacker a turn.
      if (piece.includes('HTTP/1.1 ') && ++answered % atOnce === 0) socket.write(request.repeat(atOnce));
      if (reads) return;
      socket.pause();
      setTimeout(() => socket.resume(), 1_000);
    });
    socket.write(request.repeat(atOnce));
    return socket;
  });
}

/** Requests /healthz for the given time, and prints how long that and turns of the event loop took. */
async function measure(url: string, what: string, attackers: readonly net.Socket[]): Promise<void> {
  const end = performance.now() + Number(seconds) * 1_000;
  const durations: number[] = [];
  // Reading the metrics starts another interval of the event loop's delay.
  await readGauges(url);
  while (performance.now() < end) {
    const startedAt = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    durations.push(performance.now() - startedAt);
    await delay(pauseMs);
  }
  const lag = (await readGauges(url))('nodejs_eventloop_lag_max_seconds');
  const open = attackers.filter((socket) => !socket.closed).length;
  for (const socket of attackers) socket.destroy();
  say(
    `${what}: /healthz ${percentiles(durations)}; longest stall of the event loop ` +
      `${Math.round(lag * 1_000)} ms; ${open} of ${attackers.length} attackers still connected`,
  );
}
