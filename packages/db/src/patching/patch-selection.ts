import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import type { TagLists } from '../fleet/tag-combinations.ts';
import { coveredReleases } from '../history/known-since.ts';
import { isSilentBySql } from './silent-hosts.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';

/** SQL: `hosts h` is approved, or was until after the time in a parameter, when it was retired. */
export function wasInService(from: string): string {
  return `(h.approval_status = 'approved' OR h.retired_at > ${from})`;
}

/** SQL: `hosts h` has a tag of each list, in parameters from `first` on. */
export function hasTags(lists: TagLists, first: number): string {
  return lists.map((_list, n) => `AND h.tags && $${first + n}::text[]`).join(' ');
}

/** The hosts of a question, in SQL. */
export class Selection {
  private readonly values: readonly unknown[];
  private readonly tags: TagLists;
  private readonly inService: string;

  /**
   * @param walked hosts that are counted now; `counted` leaves them out.
   * @param which `retired`: only those that were retired since the start of the period.
   */
  constructor(
    { from, to, tags, now }: TimeToPatchQuestion,
    walked: readonly HostId[],
    which: 'all' | 'retired' = 'all',
  ) {
    this.values = [from, to, now, walked];
    this.tags = tags;
    this.inService =
      which === 'all' ? wasInService('$1') : `h.approval_status = 'retired' AND h.retired_at > $1`;
  }

  /**
   * Runs a query with the subqueries `chosen` (id, is_silent, known_from, retired_at): all hosts of the question, and `counted`: those
   * whose stored figures count.
   * @param more the parameters from $5 on.
   */
  async query<Row extends object>(tx: pg.PoolClient, text: string, more: readonly unknown[] = []) {
    const values = [...this.values, ...more, ...this.tags];
    return (
      await tx.query<Row>(
        `${countedHosts(this.inService, hasTags(this.tags, 5 + more.length))} ${text}`,
        values,
      )
    ).rows;
  }

  async summarise(tx: pg.PoolClient): Promise<CountedHosts> {
    const [row] = await this.query<CountedHosts>(
      tx,
      `SELECT count(*)::int AS hosts, (count(*) FILTER (WHERE is_silent))::int AS "silentHosts",
         min(known_from) AS "knownFrom" FROM chosen`,
    );
    return row ?? { hosts: 0, silentHosts: 0, knownFrom: null };
  }

  /** The silent ones. */
  async silent(tx: pg.PoolClient): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ id: string }>(tx, 'SELECT id FROM chosen WHERE is_silent');
    return new Set(rows.map(({ id }) => id));
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

/** The hosts of a question. */
export interface CountedHosts {
  readonly hosts: number;
  readonly silentHosts: number;
  /** Since when a host of them reported and a feed had advisories for its release; null: none yet. */
  readonly knownFrom: Date | null;
}

/** How a host of a question counts. */
export interface CountedHost {
  readonly isSilent: boolean;
  /** Null for hosts in service. What it had open then is neither open nor closed afterwards. */
  readonly retiredAt: Date | null;
}

/**
 * SQL: a host is silent if the content that it had at the end of the period was neither received nor confirmed since the
 * start of the period.
 */
function countedHosts(inService: string, hasTags: string): string {
  return `WITH chosen AS MATERIALIZED (
    SELECT h.id, h.retired_at, ${isSilentBySql} AS is_silent,
      CASE WHEN hs.first_snapshot_at > covered.at THEN hs.first_snapshot_at
           WHEN hs.first_snapshot_at IS NOT NULL THEN covered.at END AS known_from
    FROM hosts h LEFT JOIN host_state hs ON hs.host_id = h.id LEFT JOIN host_contacts c ON c.host_id = h.id
      LEFT JOIN (${coveredReleases}) covered ON covered.release_id = hs.release_id
    WHERE ${inService} AND h.created_at < $2 ${hasTags}),
  counted AS (SELECT * FROM chosen WHERE NOT id = ANY($4::uuid[]))`;
}
