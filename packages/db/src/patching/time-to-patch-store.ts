import type { HostId, Severity } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgTransaction } from '../database.ts';
import { SharedRows } from '../exposures/shared-rows.ts';
import type { TagLists } from '../fleet/tag-combinations.ts';
import { isDue } from './exposure-walks.ts';
import { type EndCause, type WalkedHost, walkHost } from './host-walk.ts';
import { daysOf } from './open-by-day.ts';
import { encodeCounts } from './patch-counts.ts';
import { PatchTimes, type SeverityTimes } from './patch-times.ts';
import { isSilentBySql } from './silent-hosts.ts';
import { findTouchedHosts } from './touched-hosts.ts';

/** Which exposures to count. */
export interface TimeToPatchQuestion {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Of hosts with a tag of each list. */
  readonly tags: TagLists;
  /** Null: every one except `none`. */
  readonly severity: Severity | null;
  readonly now: Date;
}

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
  /** Since when the history of these hosts is known; null if there is none. */
  readonly historyFrom: Date | null;
}

/** Answers how long exposures took. */
export interface TimeToPatchStore {
  /** Reads one state of the database. Takes time in proportion to the hosts and to the days on which exposures ended. */
  read(question: TimeToPatchQuestion): Promise<TimeToPatch>;
}

/** Hosts that are counted during a request, so that a small fleet has exact figures at once. */
const hostsPerRequest = 100;
/** Rows of this many days are read at once: 25 MB at 100,000 hosts of which 5 % change per day. */
const daysPerRead = 31;
const dayMs = 24 * 3600 * 1000;

/** The time to patch of one database. */
export function createTimeToPatchStore({ pool }: Database): TimeToPatchStore {
  return {
    read: (question) =>
      inPgTransaction(pool, async (tx) => {
        await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
        return readTimes(tx, question);
      }),
  };
}

async function readTimes(tx: pg.PoolClient, question: TimeToPatchQuestion): Promise<TimeToPatch> {
  const due = await findDue(tx, question);
  const walked: WalkedHost[] = [];
  const rows = new SharedRows(tx);
  for (const hostId of due.hosts ?? []) {
    const host = await walkHost(rows, hostId);
    if (host !== null) walked.push(host);
  }
  const hosts = new Selection(question, walked);
  const summary = await hosts.summarise(tx);
  const times = new PatchTimes(question, question.severity);
  await readOpen(tx, hosts, times);
  await readEnded(tx, { hosts, question }, times);
  const counted = await hosts.countedOf(
    tx,
    walked.map(({ hostId }) => hostId),
  );
  for (const { hostId, open, ended } of walked) {
    const host = counted.get(hostId);
    if (host === undefined) continue;
    const retiredAt = host.retiredAt ?? null;
    if (retiredAt === null || retiredAt >= question.to) times.addOpen(encodeCounts(open), host.isSilent);
    for (const { at, cause, counts } of ended) {
      if (retiredAt !== null && retiredAt <= (at < question.to ? at : question.to)) continue;
      if (at >= question.to) times.addOpen(encodeCounts(counts), host.isSilent);
      else if (at >= question.from) times.addEnded(encodeCounts(counts), cause, at);
    }
  }
  return {
    ...summary,
    bySeverity: times.bySeverity(),
    all: times.total(),
    days: daysOf(question),
    uncountedHosts: due.hosts === null ? due.total : 0,
  };
}

/** The hosts that are not counted as they are now; null: too many for one request. */
async function findDue(
  tx: pg.PoolClient,
  { from, tags }: TimeToPatchQuestion,
): Promise<{ readonly hosts: readonly HostId[] | null; readonly total: number }> {
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

/** SQL: `hosts h` is approved, or was until after the time in a parameter, when it was retired. */
function wasInService(from: string): string {
  return `(h.approval_status = 'approved' OR h.retired_at > ${from})`;
}

/** SQL: `hosts h` has a tag of each list, in parameters from `first` on. */
function hasTags(lists: TagLists, first: number): string {
  return lists.map((_list, n) => `AND h.tags && $${first + n}::text[]`).join(' ');
}

/** The hosts of a question, in SQL. */
class Selection {
  private readonly values: readonly unknown[];
  private readonly tags: TagLists;

  /** @param walked hosts that are counted now; `counted` leaves them out. */
  constructor({ from, to, tags, now }: TimeToPatchQuestion, walked: readonly WalkedHost[]) {
    this.values = [from, to, now, walked.map(({ hostId }) => hostId)];
    this.tags = tags;
  }

  /**
   * Runs a query with the subqueries `chosen` (id, is_silent, first_snapshot_at, retired_at): all hosts of the question, and `counted`: those
   * whose stored figures count.
   * @param more the parameters from $5 on.
   */
  async query<Row extends object>(tx: pg.PoolClient, text: string, more: readonly unknown[] = []) {
    const values = [...this.values, ...more, ...this.tags];
    return (await tx.query<Row>(`${countedHosts(this.tags, 5 + more.length)} ${text}`, values)).rows;
  }

  async summarise(tx: pg.PoolClient): Promise<Pick<TimeToPatch, 'hosts' | 'silentHosts' | 'historyFrom'>> {
    const [row] = await this.query<Pick<TimeToPatch, 'hosts' | 'silentHosts' | 'historyFrom'>>(
      tx,
      `SELECT count(*)::int AS hosts, (count(*) FILTER (WHERE is_silent))::int AS "silentHosts",
         greatest(min(first_snapshot_at), (SELECT starts_at FROM history_bounds)) AS "historyFrom"
       FROM chosen`,
    );
    return row ?? { hosts: 0, silentHosts: 0, historyFrom: null };
  }

  /** Which of these hosts count, and how. */
  async countedOf(tx: pg.PoolClient, hosts: readonly HostId[]): Promise<ReadonlyMap<HostId, CountedHost>> {
    if (hosts.length === 0) return new Map();
    const rows = await this.query<CountedHost & { readonly id: HostId }>(
      tx,
      'SELECT id, is_silent AS "isSilent", retired_at AS "retiredAt" FROM chosen WHERE id = ANY($4::uuid[])',
    );
    return new Map(rows.map(({ id, ...host }) => [id, host]));
  }
}

/** How a host of a question counts. */
interface CountedHost {
  readonly isSilent: boolean;
  /** Null for hosts in service. What it had open then is neither open nor closed afterwards. */
  readonly retiredAt: Date | null;
}

/**
 * SQL: a host is silent if the content that it had at the end of the period was neither received nor confirmed since the
 * start of the period.
 */
function countedHosts(tags: TagLists, firstTags: number): string {
  return `WITH chosen AS MATERIALIZED (
    SELECT h.id, hs.first_snapshot_at, h.retired_at,
      ${isSilentBySql} AS is_silent
    FROM hosts h LEFT JOIN host_state hs ON hs.host_id = h.id LEFT JOIN host_contacts c ON c.host_id = h.id
    WHERE ${wasInService('$1')} AND h.created_at < $2 ${hasTags(tags, firstTags)}),
  counted AS (SELECT * FROM chosen WHERE NOT id = ANY($4::uuid[]))`;
}

async function readOpen(tx: pg.PoolClient, hosts: Selection, times: PatchTimes): Promise<void> {
  const rows = await hosts.query<{ isSilent: boolean; open: Uint8Array | null }>(
    tx,
    `SELECT is_silent AS "isSilent", string_agg(w.open, ''::bytea) AS open
     FROM counted JOIN exposure_walks w ON w.host_id = counted.id
     WHERE counted.retired_at IS NULL OR counted.retired_at >= $2 GROUP BY is_silent`,
  );
  for (const { isSilent, open } of rows) times.addOpen(open ?? new Uint8Array(), isSilent);
}

/** What ended in the period, and after it: that was open at its end. */
async function readEnded(
  tx: pg.PoolClient,
  { hosts, question }: { readonly hosts: Selection; readonly question: TimeToPatchQuestion },
  times: PatchTimes,
): Promise<void> {
  const until = Math.max(question.now.getTime(), question.to.getTime()) + dayMs;
  for (let start = question.from.getTime(); start < until; start += daysPerRead * dayMs) {
    const rows = await hosts.query<EndedRow>(
      tx,
      `SELECT e.cause, is_silent AS "isSilent", e.at >= $2 AS "isLater", date_trunc('day', e.at, 'UTC') AS day,
         string_agg(e.counts, ''::bytea) AS counts
       FROM exposure_ends e JOIN counted ON counted.id = e.host_id
       WHERE e.at >= $5 AND e.at < $6
         AND (counted.retired_at IS NULL OR counted.retired_at > least(e.at, $2)) AND e.at >= coalesce((SELECT starts_at FROM history_bounds), '-infinity')
       GROUP BY 1, 2, 3, 4`,
      [new Date(start), new Date(Math.min(start + daysPerRead * dayMs, until))],
    );
    for (const { cause, isSilent, isLater, day, counts } of rows) {
      if (isLater) times.addOpen(counts, isSilent);
      else times.addEnded(counts, cause, day);
    }
  }
}

interface EndedRow {
  readonly cause: EndCause;
  readonly isSilent: boolean;
  readonly isLater: boolean;
  /** The start of the day (UTC) on which they ended. */
  readonly day: Date;
  readonly counts: Uint8Array;
}
