// The whole service on this machine, as `npm start` runs it: a feed's import, uploads from 202 to matched, unchanged
// uploads, and then, with that fleet, 100 changed records and a feed in which every record changed. `npm run bench --
// service [FEED-FILE] [HOSTS]`
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { longestOf } from '@plimsoll/loadtest';
import { encodeSnapshot } from '@plimsoll/reports';
import type { Client, EnrolledHost } from '@plimsoll/testing';
import { fleetModels, waitingHosts } from './bench-fleet.ts';
import { projectDir, say, withBenchService } from './bench-service.ts';
import { changedRecords, readFeedFile, someOf } from './changed-records.ts';
import { measureImport } from './measure-import.ts';

const [feedFile = path.join(projectDir, 'examples/debian-advisories.jsonl.gz'), hostCount = '200'] =
  process.argv.slice(2);

await withBenchService(async (bench) => {
  const file = await readFile(feedFile);
  await measureImport(bench, { what: 'first import', file });
  await measureImport(bench, { what: 'the same again', file });
  await measureUploads(bench.client);
  const records = await readFeedFile(feedFile);
  const few = someOf(records, 100);
  await measureImport(bench, { what: `${few.length} changed records`, file: changedRecords(few) });
  await measureImport(bench, { what: 'every record changed', file: changedRecords(records) });
});

async function measureUploads(client: Client): Promise<void> {
  const snapshots = await makeSnapshots(Number(hostCount));
  const hosts: EnrolledHost[] = [];
  for (const [index] of snapshots.entries()) hosts.push(await client.enrol(`bench-${index}`));
  const startedAt = performance.now();
  await uploadAll(client, hosts, snapshots, 'new snapshots accepted');
  while ((await waitingHosts(client)) > 0) await delay(20);
  const seconds = (performance.now() - startedAt) / 1_000;
  say(
    `${hosts.length} new snapshots matched: ${seconds.toFixed(1)} s, ${Math.round(hosts.length / seconds)} a second`,
  );
  await uploadAll(client, hosts, snapshots, 'unchanged snapshots confirmed');
}

/** Real machines that differ in one package each. */
async function makeSnapshots(count: number): Promise<readonly Uint8Array[]> {
  // Without the folder of inventories, so that results are comparable between machines.
  const [snapshot] = await fleetModels('', new Set());
  const first = snapshot?.packages[0];
  if (snapshot === undefined || first === undefined) throw new Error('the example is empty');
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
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${what}: ${Math.round(hosts.length / seconds)} a second, p99 ${longestOf(durations, 0.99)} ms`);
}
