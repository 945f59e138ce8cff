import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Database, openDatabase } from '@plimsoll/db';
import {
  createFleet,
  type Fleet,
  type ModelHost,
  readModels,
  type SeededFleet,
  seedFleet,
} from '@plimsoll/loadtest';
import { fleetModels } from './bench-fleet.ts';
import { type BenchService, projectDir, say } from './bench-service.ts';
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
export async function importFeeds(bench: BenchService, examplesOnly = false): Promise<void> {
  const files = ecosystems.map((name) => path.join(dataDir, 'advisories/osv', name, 'all.zip'));
  const found = examplesOnly ? [] : files.filter((file) => existsSync(file));
  for (const file of found.length === 0 ? [debianFeedOf(examplesOnly)] : found) {
    const what = `first import of ${path.basename(path.dirname(file))}`;
    await measureImport(bench, { what, file: await readFile(file) });
  }
}

/** Seeds a fleet of so many hosts, like real inventories if they are there, otherwise like those of the project. */
export async function seedBenchFleet(
  database: Database,
  hosts: number,
  examplesOnly = false,
): Promise<BenchFleet> {
  const fleet = createFleet({ models: await benchModels(examplesOnly), hosts, seed: 1 });
  const seeded = await seedFleet(database, fleet, { now: new Date(), payloads: false, say });
  return { ...seeded, fleet, feed: debianFeedOf(examplesOnly) };
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

/** Runs `work` with connections to a bench's database as its owner. */
export async function withDatabase<Result>(
  { databaseUrl }: BenchService,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({
    databaseUrl,
    poolSize: 8,
    applicationName: 'bench',
    onIdleError: (error) => say(String(error)),
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
