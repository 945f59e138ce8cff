import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createHostCounter, createInterner, type Database } from '@plimsoll/db';
import { backdateAllChanges, backdateChange, backdateCoverage, newestChangeId } from '@plimsoll/db/seeding';
import { type HostId, type Snapshot, uploadCompressionLevel } from '@plimsoll/model';
import { importRecords } from '@plimsoll/pipeline';
import { encodeSnapshot } from '@plimsoll/reports';
import { firstDay } from '../fleet/archive.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { fleetAdvisories } from '../fleet/fleet-advisories.ts';
import { inLanes } from '../service/in-lanes.ts';
import { createUploadStages, type UploadStages } from './upload-stages.ts';

/** The past to seed. */
export interface HistoryOptions {
  /** The hosts of the fleet by number; they have no reports yet. */
  readonly hostIds: readonly HostId[];
  /** The number of days; the last one is today. */
  readonly days: number;
  readonly now: Date;
  /**
   * `weekly`: between the reports, so that imports change hosts. `first`: before the first report, so that a service
   * which runs meanwhile may import other feeds as soon as there are hosts.
   */
  readonly publish: 'weekly' | 'first';
  /** Called after each seeded week, with the number of days so far. */
  readonly onProgress: (days: number) => void;
}

/** What was seeded. */
export interface SeededHistory {
  readonly reports: number;
  readonly advisories: number;
}

const dayMs = 86_400_000;
const lanes = 32;
const daysPerImport = 7;

/**
 * Seeds the past of hosts: each day every host that changed since its last report reports at the time of that day, and
 * the advisories about the fleet's archives are imported as of their week. Uses the code of the API and the
 * workers; only the times are moved. Throws RangeError if advisories are imported by someone else meanwhile.
 */
export async function seedHistory(
  db: Database,
  fleet: Fleet,
  { hostIds, days, now, publish, onProgress }: HistoryOptions,
): Promise<SeededHistory> {
  const timeOf = (day: number) => new Date(now.getTime() - (days - 1 - day) * dayMs);
  await backdateAllChanges(db, timeOf(0));
  const stages = createUploadStages(db);
  const feed = await openFeed(db, fleet, timeOf);
  const reporter = createReporter(stages, fleet, timeOf);
  let advisories = 0;
  try {
    if (publish === 'first')
      for (let day = 0; day < days; day += daysPerImport)
        advisories += await feed.publish(Math.min(day, days - 1));
    for (let day = 0; day < days; day += 1) {
      const isLast = day === days - 1;
      if (day % daysPerImport === 0 || isLast) {
        if (publish === 'weekly') advisories += await feed.publish(day);
        onProgress(day);
      }
      await inLanes(hostIds.entries(), lanes, ([host, hostId]) => reporter.report(host, hostId, day, isLast));
      // The first report of a release makes a note about it.
      await backdateCoverage(db, timeOf(day));
    }
    return { reports: reporter.count(), advisories };
  } finally {
    await feed.close();
  }
}

/** Imports the advisories that were published since the last call, as of a day. */
async function openFeed(db: Database, fleet: Fleet, timeOf: (day: number) => Date) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-seed-'));
  const context = { db, interner: createInterner(db), counter: createHostCounter() };
  let from = firstDay;
  return {
    async publish(day: number): Promise<number> {
      const published = fleetAdvisories(fleet, { from, to: day }, timeOf);
      from = day + 1;
      if (published.length === 0) return 0;
      const file = path.join(folder, 'advisories.jsonl');
      await writeFile(file, published.map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
      const before = await newestChangeId(db);
      await importRecords(context, {
        files: [{ path: file, format: 'osv', release: null }],
        importId: null,
        complete: null,
        sync: null,
        signal: new AbortController().signal,
        onProgress: async () => undefined,
      });
      await backdateChange(db, before, timeOf(day));
      await backdateCoverage(db, timeOf(day));
      return published.length;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Sends the reports of hosts that have changed since their last one. */
function createReporter(stages: UploadStages, fleet: Fleet, timeOf: (day: number) => Date) {
  const last = new Map<number, string>();
  let count = 0;
  return {
    count: () => count,
    async report(host: number, hostId: HostId, day: number, always: boolean): Promise<void> {
      if (fleet.isSilent(host, day)) return;
      const at = timeOf(day);
      const snapshot = fleet.snapshot(host, { day, at });
      const content = contentOf(snapshot);
      // The last day shows that the host still reports.
      if (last.get(host) === content && !always) return;
      last.set(host, content);
      const payload = encodeSnapshot(snapshot);
      const gzip = gzipSync(payload, { level: uploadCompressionLevel });
      await stages.take({ hostId, snapshot, payload, gzip, receivedAt: at });
      count += 1;
    },
  };
}

/** Equal for two reports of a host with equal content; much cheaper than encoding them. */
function contentOf({ packages, upgrades, kernel }: Snapshot): string {
  const versions = packages.map(({ version }) => version).join(' ');
  const offers = upgrades.map(({ candidateVersion }) => candidateVersion).join(' ');
  return `${versions}\n${offers}\n${kernel.rebootRequired} ${kernel.rebootPackages.join(' ')}`;
}
