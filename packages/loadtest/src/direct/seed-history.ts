import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createHostCounter, createInterner, type Database } from '@plimsoll/db';
import {
  backdateAllChanges,
  backdateCoverage,
  backdateImport,
  countAdvisories,
  databaseTime,
  newestChangeId,
} from '@plimsoll/db/seeding';
import { type FeedFormat, type HostId, type Snapshot, uploadCompressionLevel } from '@plimsoll/model';
import { type FileToRead, importRecords } from '@plimsoll/pipeline';
import { encodeSnapshot } from '@plimsoll/reports';
import { firstDay } from '../fleet/archive.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type FleetAdvisory, fleetAdvisories } from '../fleet/fleet-advisories.ts';
import { type FleetCveFacts, fleetCveFacts } from '../fleet/fleet-cve-facts.ts';
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
 * the advisories about the fleet's archives and the facts about their CVEs are imported as of their week. Uses the code of the API and the
 * workers; only the times are moved. Throws RangeError if advisories are imported by someone else meanwhile.
 */
export async function seedHistory(
  db: Database,
  fleet: Fleet,
  { hostIds, days, now, publish, onProgress }: HistoryOptions,
): Promise<SeededHistory> {
  const timeOf = (day: number) => new Date(now.getTime() - (days - 1 - day) * dayMs);
  await backdateAllChanges(db, timeOf(0));
  const begunAt = await databaseTime(db);
  const stages = createUploadStages(db);
  const feed = await openFeed(db, fleet, { timeOf, days, begunAt });
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
      await backdateCoverage(db, begunAt, timeOf(day));
    }
    return { reports: reporter.count(), advisories };
  } finally {
    await feed.close();
  }
}

/**
 * Imports what was published up to a day, as of that day: all of it if nobody else's advisories are stored, so that the
 * feeds are current, otherwise what is new.
 */
async function openFeed(
  db: Database,
  fleet: Fleet,
  {
    timeOf,
    days,
    begunAt,
  }: { readonly timeOf: (day: number) => Date; readonly days: number; readonly begunAt: Date },
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-seed-'));
  const context = { db, interner: createInterner(db), counter: createHostCounter() };
  const advisories = fleetAdvisories(fleet, { from: firstDay, to: days - 1 }, timeOf);
  const isAlone = (await countAdvisories(db)) === 0;
  let published = firstDay - 1;
  return {
    async publish(day: number): Promise<number> {
      const isNew = (advisory: FleetAdvisory) => advisory.day > published;
      const upTo = advisories.filter((advisory) => advisory.day <= day);
      const fresh = upTo.filter(isNew).length;
      if (isAlone ? upTo.length === 0 : fresh === 0) return 0;
      const file = path.join(folder, 'advisories.jsonl');
      const records = (isAlone ? upTo : upTo.filter(isNew)).map(({ record }) => record);
      await writeFile(file, linesOf(records));
      const from = isAlone ? firstDay : published + 1;
      const facts = await writeFacts(folder, fleetCveFacts(advisories, { from, to: day }, timeOf));
      published = day;
      const before = await newestChangeId(db);
      await importRecords(context, {
        files: [{ path: file, format: 'osv', release: null }, ...facts],
        importId: null,
        complete: isAlone ? { releases: null, asOf: timeOf(day) } : null,
        sync: null,
        signal: new AbortController().signal,
        onProgress: async () => undefined,
      });
      if ((await newestChangeId(db)) > before) await backdateImport(db, before, timeOf(day));
      await backdateCoverage(db, begunAt, timeOf(day));
      return fresh;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Writes the facts about CVEs into files to import. */
async function writeFacts(
  folder: string,
  { exploited, scores }: FleetCveFacts,
): Promise<readonly FileToRead[]> {
  const files: FileToRead[] = [];
  const write = async (name: string, format: FeedFormat, text: string) => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    files.push({ path: file, format, release: null });
  };
  if (exploited.length > 0) await write('kev.jsonl', 'kev', linesOf(exploited));
  if (scores !== null) await write('epss.csv', 'epss', scores);
  return files;
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
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
