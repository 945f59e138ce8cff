import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Snapshot } from '@plimsoll/model';
import { decodeSnapshot, encodeSnapshot } from '@plimsoll/reports';
import type { Client } from '@plimsoll/testing';
import { findInventories } from '../accuracy/src/inventory/find-inventories.ts';
import { elapsed, projectDir, say } from './bench-service.ts';

/** One in this many hosts has its own set of packages; the others share one with it. */
const hostsPerSet = 20;
/** Concurrent requests. */
const lanes = 8;

/** The models for a fleet: real inventories of some systems, or the one of examples/. */
export async function fleetModels(
  inventoriesDir: string,
  osIds: ReadonlySet<string>,
): Promise<readonly Snapshot[]> {
  const receivedAt = new Date();
  if (existsSync(inventoriesDir)) {
    const { inventories } = findInventories(inventoriesDir, new Map(), receivedAt);
    const found = inventories
      .map(({ snapshot }) => snapshot)
      .filter(({ platform }) => osIds.has(platform.osId));
    if (found.length > 0) return found;
  }
  return [await exampleModel()];
}

/** The machine of examples/. */
export async function exampleModel(): Promise<Snapshot> {
  const example = gunzipSync(await readFile(path.join(projectDir, 'examples/debian-12.snapshot.pb.gz')));
  const decoded = decodeSnapshot(example, { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new Error('the example is broken');
  return decoded.snapshot;
}

/** Enrols hosts like the models, sends their reports, and waits until all are matched. */
export async function makeFleet(client: Client, models: readonly Snapshot[], hosts: number): Promise<void> {
  const startedAt = performance.now();
  const numbers = Array.from({ length: hosts }, (_, index) => index).values();
  const lane = async () => {
    for (const number of numbers) {
      const model = models[number % models.length];
      if (model === undefined) throw new Error('there is no machine to make a fleet of');
      const { token } = await client.enrol(`bench-${number}`);
      const { status } = await client.upload(
        token,
        encodeSnapshot(likeModel(model, number, `bench-${number}`)),
      );
      if (status !== 202) throw new Error(`upload ${number} was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  while ((await waitingHosts(client)) > 0) await delay(50);
  say(
    `a fleet of ${hosts} hosts like ${models.length} machines: reported and matched in ${elapsed(startedAt)} s`,
  );
}

/** The model with another name and without some packages, the same ones for hosts that share a set. */
export function likeModel(model: Snapshot, number: number, hostname: string): Snapshot {
  const set = Math.floor(number / hostsPerSet);
  // Multiplied by a prime, so that sets lack packages of all initials.
  const packages = model.packages.filter((_, index) => (index * 7_919 + set) % 97 !== 0 || set === 0);
  return {
    ...model,
    platform: { ...model.platform, hostname, machineId: '' },
    packages,
  };
}

/** The number of hosts without a matched snapshot. */
export async function waitingHosts(client: Client): Promise<number> {
  const { headers } = await client.get('/hosts?status=new&limit=1');
  return Number(headers.get('x-total-count'));
}
