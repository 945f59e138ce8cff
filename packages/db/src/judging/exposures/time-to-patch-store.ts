import type { HostId, Severity } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { coveredReleases } from '../../knowledge/known-since.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
import { isDue } from './exposure-walks.ts';
import { type WalkedHost, walkHost } from './host-walk.ts';
import { dayNumber, daysOf } from './open-by-day.ts';
import { areAsked, askedValues, chosenHosts, wasInService } from './patch-selection.ts';
import { PatchTimes, type SeverityTimes } from './patch-times.ts';
import { SharedRows } from './shared-rows.ts';
import { addCounted } from './stored-times.ts';
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

/** The time to patch of one database. */
export function createTimeToPatchStore(database: Database): TimeToPatchStore {
  return { read: (question) => inPgSnapshot(database.pool, (tx) => readTimes(tx, question)) };
}

async function readTimes(tx: pg.PoolClient, question: TimeToPatchQuestion): Promise<TimeToPatch> {
  const due = await findDue(tx, question);
  const walked: WalkedHost[] = [];
  const shared = new SharedRows(tx);
  for (const hostId of due.hosts ?? []) {
    const host = await walkHost(shared, hostId);
    if (host !== null) walked.push(host);
  }
  const hosts = await summarise(tx, question);
  const times = new PatchTimes(question, question.severity);
  const historyFrom = await loadHistoryStart(tx);
  if (hosts.hosts > 0) await addCounted(tx, { question, historyFrom, walked }, times);
  const knownFrom = knownFromOf(hosts.knownFrom, times.begunAt(), historyFrom);
  return {
    hosts: hosts.hosts,
    silentHosts: hosts.silentHosts,
    historyFrom: knownFrom,
    bySeverity: times.bySeverity(knownFrom),
    all: times.total(knownFrom),
    days: daysOf(question),
    uncountedHosts: due.hosts === null ? due.total : 0,
  };
}

/** The hosts of a question. */
interface ChosenHosts {
  readonly hosts: number;
  readonly silentHosts: number;
  /** Since when a host of them reported and a feed had advisories for its release; null: none yet. */
  readonly knownFrom: Date | null;
}

async function summarise(tx: pg.PoolClient, question: TimeToPatchQuestion): Promise<ChosenHosts> {
  const { from, to, now } = question;
  const { rows } = await tx.query<ChosenHosts>(
    `SELECT count(*)::int AS hosts, (count(*) FILTER (WHERE is_silent))::int AS "silentHosts",
       min(greatest(h.first_snapshot_at, covered.at)) FILTER (WHERE h.first_snapshot_at IS NOT NULL AND covered.at IS NOT NULL) AS "knownFrom"
     FROM (${chosenHosts(question, 0)}) h LEFT JOIN (${coveredReleases}) covered USING (release_id)`,
    [from, to, now, ...askedValues(question)],
  );
  return rows[0] ?? { hosts: 0, silentHosts: 0, knownFrom: null };
}

/** @param begunAt the day of the first exposure: hosts had another release before, or their feed was removed */
function knownFromOf(hosts: Date | null, begunAt: Date | null, historyFrom: Date | null): Date | null {
  const isBefore =
    begunAt !== null && (hosts === null || dayNumber(begunAt.getTime()) < dayNumber(hosts.getTime()));
  const known = isBefore ? begunAt : hosts;
  return known === null ? null : later(known, historyFrom);
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
async function findDue(tx: pg.PoolClient, question: TimeToPatchQuestion): Promise<Due> {
  const touched = await findTouchedHosts(tx);
  const { rows } = await tx.query<{ hostId: HostId; total: number }>(
    `SELECT hs.host_id AS "hostId", count(*) OVER ()::int AS total FROM host_state hs JOIN hosts h ON h.id = hs.host_id
     LEFT JOIN exposure_walks w ON w.host_id = hs.host_id
     WHERE ${wasInService('$3')} AND hs.first_snapshot_at IS NOT NULL
       AND (${isDue} OR $1::uuid[] IS NULL OR hs.host_id = ANY($1)) ${areAsked(question, 4)} LIMIT $2`,
    [touched.hosts, hostsPerRequest + 1, question.from, ...askedValues(question)],
  );
  const total = rows[0]?.total ?? 0;
  return { total, hosts: total > hostsPerRequest ? null : rows.map(({ hostId }) => hostId) };
}
