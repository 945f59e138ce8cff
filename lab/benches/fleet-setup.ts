import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@plimsoll/db';
import {
  createFleet,
  type Fleet,
  hostTokenOf,
  type ModelHost,
  readModels,
  type SeededFleet,
  seedFleet,
} from '@plimsoll/loadtest';
import { fleetModels } from './bench-fleet.ts';
import { type BenchService, projectDir, say, withBenchService, withDatabase } from './bench-service.ts';
import { measureImport } from './measure-import.ts';

/** Real data beside the project; without it, the benches use what the project has. */
const dataDir = path.join(projectDir, '../shared/data');
const inventories = path.join(dataDir, 'inventories');
const systems: ReadonlySet<string> = new Set(['debian', 'ubuntu', 'almalinux', 'rhel', 'rocky']);
const ecosystems = ['Debian', 'Ubuntu', 'AlmaLinux', 'Red Hat'];

/** The feed of Debian: the whole one if the data is there, otherwise that of examples/. */
export const debianFeed = debianFeedOf(false);

/** The same; `examplesOnly`: that of examples/ in any case. */
export function debianFeedOf(examplesOnly: boolean): string {
  const whole = path.join(dataDir, 'advisories/osv/Debian/all.zip');
  if (!examplesOnly && existsSync(whole)) return whole;
  return path.join(projectDir, 'examples/debian-advisories.jsonl.gz');
}

/** A fleet in a database, and the tokens of its hosts. */
export interface BenchFleet extends SeededFleet {
  readonly fleet: Fleet;
  /** The feed to change. */
  readonly feed: string;
}

/** Imports the feeds of the fleet's systems, before there are hosts. */
async function importFeeds(bench: BenchService, examplesOnly = false): Promise<void> {
  const files = ecosystems.map((name) => path.join(dataDir, 'advisories/osv', name, 'all.zip'));
  const found = examplesOnly ? [] : files.filter((file) => existsSync(file));
  for (const file of found.length === 0 ? [debianFeedOf(examplesOnly)] : found) {
    const what = `first import of ${path.basename(path.dirname(file))}`;
    await measureImport(bench, { what, file: await readFile(file) });
  }
}

/** Gives half of the hosts a tag, a tenth another one, and each one of fifty. */
const tagHosts = `UPDATE hosts SET tags = ARRAY['site-' || n % 50] || CASE WHEN n % 2 = 0 THEN ARRAY['half'] ELSE '{}' END
    || CASE WHEN n % 10 = 0 THEN ARRAY['tenth'] ELSE '{}' END
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) numbered WHERE numbered.id = hosts.id`;

/** What is seeded, and where it is kept. */
export interface FleetOptions {
  readonly hosts: number;
  /** Feeds and inventories of the project only. */
  readonly examplesOnly: boolean;
  /** With the bytes of their reports. */
  readonly payloads?: boolean;
  /** The folder of the service's data, if it is kept: its fleet is used again. */
  readonly keptDir?: string | undefined;
}

/** What a kept folder has. */
interface KeptFleet {
  readonly hosts: number;
  readonly examplesOnly: boolean;
  /** Of the hosts' tokens, in hex. */
  readonly secret: string;
  readonly originals: SeededFleet['originals'];
}

/**
 * Imports the feeds and seeds a fleet of so many hosts, like real inventories if they are there, otherwise like those of
 * the project. A kept fleet is used again; throws if it is another one than asked for.
 */
export async function openBenchFleet(
  bench: BenchService,
  database: Database,
  { hosts, examplesOnly, payloads = false, keptDir }: FleetOptions,
): Promise<BenchFleet> {
  const fleet = createFleet({ models: await benchModels(examplesOnly), hosts, seed: 1 });
  const feed = debianFeedOf(examplesOnly);
  const file = keptDir === undefined ? null : path.join(keptDir, 'fleet.json');
  if (file !== null && existsSync(file)) {
    const kept = JSON.parse(await readFile(file, 'utf8')) as KeptFleet; // written below
    if (kept.hosts !== hosts || kept.examplesOnly !== examplesOnly)
      throw new Error(
        `${file} is of ${kept.hosts} hosts, examples only: ${kept.examplesOnly}: use another folder`,
      );
    const secret = Buffer.from(kept.secret, 'hex');
    return { fleet, feed, originals: kept.originals, tokenOf: (host) => hostTokenOf(secret, host) };
  }
  await importFeeds(bench, examplesOnly);
  const secret = randomBytes(32);
  const seeded = await seedFleet(database, fleet, { now: new Date(), payloads, secret, say });
  await database.pool.query(tagHosts);
  const { originals } = seeded;
  const kept: KeptFleet = { hosts, examplesOnly, secret: secret.toString('hex'), originals };
  if (file !== null) await writeFile(file, JSON.stringify(kept));
  return { ...seeded, fleet, feed };
}

async function benchModels(examplesOnly: boolean): Promise<readonly ModelHost[]> {
  if (!examplesOnly && existsSync(inventories)) {
    const snapshots = await fleetModels(inventories, systems);
    return snapshots.map((snapshot, index) => ({ name: `inventory ${index}`, snapshot }));
  }
  return readModels([
    path.join(projectDir, 'examples/debian-12.snapshot.pb.gz'),
    path.join(projectDir, 'packages/loadtest/models'),
  ]);
}

/** As withBenchService, with connections to the database and a fleet, which is kept in a folder if `options` name one. */
export function withBenchFleet(
  options: FleetOptions,
  work: (bench: BenchService, database: Database) => Promise<void>,
): Promise<void> {
  const inService = (bench: BenchService) =>
    withDatabase(bench, async (database) => {
      await openBenchFleet(bench, database, options);
      await work(bench, database);
    });
  return withBenchService(inService, {}, options.keptDir);
}
