import type { HostId, Severity } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../database.ts';
import { SharedRows } from '../exposures/shared-rows.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
import { loadCoveredReleases } from '../history/known-since.ts';
import type { HostMemory } from '../hosts/host-memory.ts';
import { isDue } from './exposure-walks.ts';
import { type WalkedHost, walkHost } from './host-walk.ts';
import { dayNumber, daysOf } from './open-by-day.ts';
import { encodeCounts } from './patch-counts.ts';
import { createPatchMemory, type PatchMemory } from './patch-memory.ts';
import { type CountedHost, type CountedHosts, hasTags, Selection, wasInService } from './patch-selection.ts';
import { PatchTimes, type SeverityTimes } from './patch-times.ts';
import { addRemembered } from './remembered-times.ts';
import { addStored } from './stored-times.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';
import { findTouchedHosts } from './touched-hosts.ts';

/** How long exposures took in a period. */
export interface TimeToPatch {
  readonly bySeverity: ReadonlyMap<Severity, SeverityTimes>;
  /** All of these together. */
  readonly all: SeverityTimes;
  /** The days of the period, as in `openByDay`. */
  readonly days: readonly string[];
  /**
   * The hosts that are counted: approved ones that were created before the end of the period, and those that were retired
   * since its start.
   */
  readonly hosts: number;
  /** Of these, hosts from which nothing was received in the period; their open exposures are counted apart. */
  readonly silentHosts: number;
  /** Hosts whose newest snapshot or advisories are not counted yet; their figures are those of before. */
  readonly uncountedHosts: number;
  /** Since when findings of these hosts are known: none did report before, or no feed had advisories; null: not yet. */
  readonly historyFrom: Date | null;
}

/** Answers how long exposures took. */
export interface TimeToPatchStore {
  /** Takes time in proportion to the hosts and to the exposures that ended since the start of the period. */
  read(question: TimeToPatchQuestion): Promise<TimeToPatch>;
}

/** Hosts that are counted during a request, so that a small fleet has exact figures at once. */
const hostsPerRequest = 100;

/**
 * The time to patch of one database. With the hosts in memory the counted exposures are kept in memory, too; without them,
 * until they are loaded, and for older periods they are read from their rows.
 * @param onMemoryError called when the exposures were not loaded into memory
 */
export function createTimeToPatchStore(
  database: Database,
  hosts: HostMemory | null = null,
  onMemoryError: (error: unknown) => void = () => undefined,
): TimeToPatchStore {
  const memory = hosts === null ? null : { hosts, exposures: createPatchMemory(database, onMemoryError) };
  const atOnce = <T>(read: (tx: pg.PoolClient) => Promise<T>): Promise<T> =>
    inPgSnapshot(database.pool, read);
  return {
    async read(question) {
      const isLoaded = memory !== null && (await memory.exposures.isLoaded(question.from));
      // No connection is held while the memory is read: it needs some of the same pool.
      const remembered = isLoaded
        ? await answerRemembered(question, memory, await atOnce((tx) => readFirst(tx, question, 'retired')))
        : null;
      return remembered ?? answer(question, await atOnce((tx) => readFirst(tx, question, 'all')));
    },
  };
}

interface Memory {
  readonly hosts: HostMemory;
  readonly exposures: PatchMemory;
}

/** What is read in one view of the database. */
interface FirstRead {
  readonly due: Due;
  /** The due hosts, counted now. */
  readonly walked: readonly WalkedHost[];
  readonly historyFrom: Date | null;
  readonly coveredFrom: ReadonlyMap<number, Date>;
  /** The silent hosts of the question; null: they are in the sums. */
  readonly silent: ReadonlySet<string> | null;
  /** The sums of all hosts, or of the retired ones, without those that were walked. */
  readonly times: PatchTimes;
  readonly summary: CountedHosts;
  /** How the walked ones of these hosts count. */
  readonly counted: ReadonlyMap<string, CountedHost>;
}

async function readFirst(
  tx: pg.PoolClient,
  question: TimeToPatchQuestion,
  which: 'all' | 'retired',
): Promise<FirstRead> {
  const due = await findDue(tx, question);
  const walked: WalkedHost[] = [];
  const shared = new SharedRows(tx);
  for (const hostId of due.hosts ?? []) {
    const host = await walkHost(shared, hostId);
    if (host !== null) walked.push(host);
  }
  const ids = walked.map(({ hostId }) => hostId);
  const hosts = new Selection(question, ids, which);
  const summary = await hosts.summarise(tx);
  const times = new PatchTimes(question, question.severity);
  if (summary.hosts > 0) await addStored(tx, { hosts, question }, times);
  return {
    due,
    walked,
    historyFrom: await loadHistoryStart(tx),
    coveredFrom: await loadCoveredReleases(tx),
    silent: which === 'retired' ? await new Selection(question, []).silent(tx) : null,
    times,
    summary,
    counted: await hosts.countedOf(tx, ids),
  };
}

/** Null if not all of the period is in memory any more. */
async function answerRemembered(
  question: TimeToPatchQuestion,
  memory: Memory,
  retired: FirstRead,
): Promise<TimeToPatch | null> {
  const rows = await memory.exposures.current(question.from);
  if (rows === null) return null;
  const columns = await memory.hosts.current();
  const counted = new Map(retired.counted);
  const { walked, silent, historyFrom, coveredFrom, times, summary } = retired;
  const ids = new Set<string>(walked.map(({ hostId }) => hostId));
  const approved = addRemembered(
    { question, columns, rows, walked: ids, counted, silent: silent ?? new Set(), historyFrom, coveredFrom },
    times,
  );
  return answer(question, {
    ...retired,
    counted,
    summary: {
      hosts: approved.hosts + summary.hosts,
      silentHosts: approved.silentHosts + summary.silentHosts,
      knownFrom: earlier(approved.knownFrom, summary.knownFrom),
    },
  });
}

function answer(question: TimeToPatchQuestion, read: FirstRead): TimeToPatch {
  const { due, walked, times, counted, summary } = read;
  for (const host of walked) {
    const as = counted.get(host.hostId);
    if (as !== undefined) addWalked(host, { as, question }, times);
  }
  const knownFrom = knownFromOf(summary.knownFrom, times.begunAt(), read.historyFrom);
  return {
    hosts: summary.hosts,
    silentHosts: summary.silentHosts,
    historyFrom: knownFrom,
    bySeverity: times.bySeverity(knownFrom),
    all: times.total(knownFrom),
    days: daysOf(question),
    uncountedHosts: due.hosts === null ? due.total : 0,
  };
}

/** @param begunAt the day of the first exposure: hosts had another release before, or their feed was removed */
function knownFromOf(hosts: Date | null, begunAt: Date | null, historyFrom: Date | null): Date | null {
  const isBefore =
    begunAt !== null && (hosts === null || dayNumber(begunAt.getTime()) < dayNumber(hosts.getTime()));
  const known = isBefore ? begunAt : hosts;
  return known === null ? null : later(known, historyFrom);
}

function addWalked(
  { open, ended, waived, restated }: WalkedHost,
  { as, question }: { readonly as: CountedHost; readonly question: TimeToPatchQuestion },
  times: PatchTimes,
): void {
  const { isSilent, retiredAt } = as;
  if (retiredAt === null || retiredAt >= question.to) {
    times.addOpen(encodeCounts(open), isSilent);
    for (const { until, counts } of waived)
      if (until > question.to) times.addWaived(encodeCounts(counts), isSilent);
    for (const { until, counts } of restated)
      if (until > question.to) times.addRestated(encodeCounts(counts), isSilent);
  }
  for (const { at, cause, counts } of ended) {
    if (retiredAt !== null && retiredAt <= (at < question.to ? at : question.to)) continue;
    if (at >= question.to) times.addOpen(encodeCounts(counts), isSilent);
    else if (at >= question.from) times.addEnded(encodeCounts(counts), cause, at.getTime());
  }
}

function earlier(a: Date | null, b: Date | null): Date | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b;
}

function later(a: Date | null, b: Date | null): Date | null {
  return a === null || b === null ? (a ?? b) : a > b ? a : b;
}

interface Due {
  /** Null: too many for one request. */
  readonly hosts: readonly HostId[] | null;
  readonly total: number;
}

/** The hosts that are not counted as they are now. */
async function findDue(tx: pg.PoolClient, { from, tags }: TimeToPatchQuestion): Promise<Due> {
  const touched = await findTouchedHosts(tx);
  const { rows } = await tx.query<{ hostId: HostId; total: number }>(
    `SELECT hs.host_id AS "hostId", count(*) OVER ()::int AS total FROM host_state hs JOIN hosts h ON h.id = hs.host_id
     LEFT JOIN exposure_walks w ON w.host_id = hs.host_id
     WHERE ${wasInService('$3')} AND hs.first_snapshot_at IS NOT NULL
       AND (${isDue} OR $1::uuid[] IS NULL OR hs.host_id = ANY($1)) ${hasTags(tags, 4)} LIMIT $2`,
    [touched.hosts, hostsPerRequest + 1, from, ...tags],
  );
  const total = rows[0]?.total ?? 0;
  return { total, hosts: total > hostsPerRequest ? null : rows.map(({ hostId }) => hostId) };
}
