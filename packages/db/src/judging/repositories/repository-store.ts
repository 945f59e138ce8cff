import type { LagRules } from '@plimsoll/advisories';
import { type CopyReason, type HostScope, type RepositoriesState, tagsOfScope } from '@plimsoll/model';
import { type Database, isUuid } from '../../core/database.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import { moveNewestDates, type StoredRefresh } from '../../ingest/stored-repositories.ts';
import { judgedBySql, lagFingerprint } from './judged-copies.ts';

/** One host's judged copy of a repository, compared with the copies of other hosts. */
export interface HostRepositoryRow {
  readonly source: string;
  readonly url: string;
  readonly suite: string;
  readonly origin: string;
  readonly component: string;
  readonly enabled: boolean;
  readonly used: boolean;
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly fetchedAt: Date | null;
  readonly error: string;
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
  readonly maxLagDays: number;
  readonly newestAt: Date | null;
  readonly newestSource: 'publisher' | 'hosts' | null;
  /** The newest date of a copy of it on approved hosts of the scope. */
  readonly seenAt: Date | null;
  /**
   * The number of other approved hosts of the scope whose copies are newer by at least as many whole days as the newest known one;
   * for `newer_on_few` by more than the allowed lag.
   */
  readonly hostsWithNewer: number;
}

/** A repository of the fleet, summarised over the copies of approved hosts. */
export interface FleetRepository {
  readonly id: number;
  readonly name: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  readonly base: string;
  readonly newestAt: Date | null;
  readonly newestSource: 'publisher' | 'hosts' | null;
  /** The newest date of a copy of it on approved hosts of the scope. */
  readonly seenAt: Date | null;
  readonly hosts: number;
  readonly outdatedHosts: number;
  readonly oldestAt: Date | null;
}

/** The last repository of a page; the next page starts after this name and id. */
export interface RepositoryCursor {
  readonly name: string;
  readonly id: number;
}

/** Reads judged repositories and decides which are judged again. */
export interface RepositoryStore {
  /** A host's copies, the outdated ones first, then by address and suite, compared with those of the hosts of a scope. */
  ofHost(scope: HostScope, hostId: string): Promise<readonly HostRepositoryRow[]>;
  /** Repositories that approved hosts of a scope have enabled, by name. `outdatedOnly`: only those with an outdated copy. */
  ofFleet(page: {
    readonly scope: HostScope;
    readonly limit: number;
    readonly after: RepositoryCursor | null;
    readonly outdatedOnly: boolean;
  }): Promise<readonly FleetRepository[]>;
  countOfFleet(scope: HostScope, outdatedOnly: boolean): Promise<number>;
  /** Whether a host or repository is due to be judged. */
  isDue(): Promise<boolean>;
  /** Makes hosts due that were judged under other settings or tags, at most `limit`; returns their number. */
  markOutdatedJudgements(lag: LagRules, limit: number): Promise<number>;
  /**
   * Updates every newest known date, because approvals and deletions of hosts change them; returns the number of
   * changed ones.
   */
  moveNewestDates(): Promise<number>;
  /** Deletes repositories with neither copies nor a publisher's date; returns their number. */
  dropUnused(): Promise<number>;
}

/** A copy past its own Valid-Until is outdated, even if it was judged earlier. */
const currentState = `CASE WHEN hr.valid_until < now() THEN 'outdated' ELSE hr.state END`;

/** The repositories of one database. */
export function createRepositoryStore({ pool }: Database): RepositoryStore {
  return {
    async ofHost(scope, hostId) {
      if (!isUuid(hostId)) return [];
      const { rows } = await pool.query<Omit<HostRepositoryRow, 'fetchedAt'>>(selectOfHost, [
        hostId,
        tagsOfScope(scope),
      ]);
      const kept = await pool.query<{ refreshes: readonly StoredRefresh[] }>(
        'SELECT refreshes FROM host_refreshes WHERE host_id = $1',
        [hostId],
      );
      const fetched = newestFetches(kept.rows[0]?.refreshes ?? []);
      return rows.map((row) => ({ ...row, fetchedAt: fetched.get(row.source) ?? null }));
    },
    async ofFleet({ scope, limit, after, outdatedOnly }) {
      const { rows } = await pool.query<FleetRepository>(
        `SELECT r.id, r.name, r.origin, r.suite, r.component, r.architecture, r.base, r.newest_at AS "newestAt",
           r.newest_source AS "newestSource", c.hosts, c.outdated AS "outdatedHosts", c.oldest AS "oldestAt",
           c.seen AS "seenAt"
         FROM repositories r CROSS JOIN LATERAL (
           SELECT count(DISTINCT hr.host_id)::int AS hosts, min(hr.published_at) AS oldest,
             max(hr.published_at) FILTER (WHERE hr.published_at <= now()) AS seen,
             (count(DISTINCT hr.host_id) FILTER (WHERE hr.used AND ${currentState} = 'outdated'))::int AS outdated
           FROM host_repositories hr JOIN hosts h ON h.id = hr.host_id AND h.approval_status = 'approved'
           WHERE hr.repository_id = r.id AND hr.enabled AND ${inScopeBySql('h.tags', '$5')}) c
         WHERE ($2::text IS NULL OR (r.name, r.id) > ($2, $3::int)) AND ${inUse('$4', '$5')}
         ORDER BY r.name, r.id LIMIT $1`,
        [limit, after?.name ?? null, after?.id ?? null, outdatedOnly, tagsOfScope(scope)],
      );
      return rows;
    },
    async countOfFleet(scope, outdatedOnly) {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM repositories r WHERE ${inUse('$1', '$2')}`,
        [outdatedOnly, tagsOfScope(scope)],
      );
      return rows[0]?.count ?? 0;
    },
    async isDue() {
      const { rows } = await pool.query<{ due: boolean }>(
        `SELECT EXISTS (SELECT FROM host_refreshes WHERE due)
             OR EXISTS (SELECT FROM repositories
               WHERE (newest_at, seen_at) IS DISTINCT FROM (judged_newest_at, judged_seen_at)) AS due`,
      );
      return rows[0]?.due === true;
    },
    async markOutdatedJudgements(lag, limit) {
      const { rowCount } = await pool.query(
        `UPDATE host_refreshes SET due = true WHERE host_id IN (
           SELECT r.host_id FROM host_refreshes r JOIN hosts h ON h.id = r.host_id
           WHERE NOT r.due AND r.judged_by <> '' AND r.judged_by <> ${judgedBySql('$1')} LIMIT $2)`,
        [lagFingerprint(lag), limit],
      );
      return rowCount ?? 0;
    },
    moveNewestDates: () => moveNewestDates(pool, null),
    async dropUnused() {
      const { rowCount } = await pool.query(
        `DELETE FROM repositories r WHERE publisher_at IS NULL
           AND NOT EXISTS (SELECT FROM host_repositories hr WHERE hr.repository_id = r.id)`,
      );
      return rowCount ?? 0;
    },
  };
}

/** SQL: whether an approved host of a scope has `repositories r` enabled and, if `outdatedOnly`, an outdated copy of it. */
function inUse(outdatedOnly: string, tags: string): string {
  return `EXISTS (SELECT FROM host_repositories hr JOIN hosts h ON h.id = hr.host_id AND h.approval_status = 'approved'
    WHERE hr.repository_id = r.id AND hr.enabled AND ${inScopeBySql('h.tags', tags)}
      AND (NOT ${outdatedOnly}::bool OR (hr.used AND ${currentState} = 'outdated')))`;
}

const selectOfHost = `
  SELECT hr.source, hr.url, hr.suite, hr.origin, hr.component, hr.enabled, hr.used, hr.published_at AS "publishedAt",
    hr.valid_until AS "validUntil", hr.error, ${currentState} AS state,
    CASE WHEN hr.valid_until < now() THEN 'expired' ELSE hr.reason END AS reason, hr.max_lag_days AS "maxLagDays",
    r.newest_at AS "newestAt", r.newest_source AS "newestSource", coalesce(n.hosts, 0) AS "hostsWithNewer", n.seen AS "seenAt"
  FROM host_repositories hr LEFT JOIN repositories r ON r.id = hr.repository_id
  LEFT JOIN LATERAL (
    SELECT max(o.published_at) AS seen,
      (count(*) FILTER (WHERE o.host_id <> hr.host_id AND o.published_at > hr.published_at
        AND o.published_at >= hr.published_at + interval '1 day' * CASE WHEN hr.reason = 'newer_on_few' THEN hr.max_lag_days
          ELSE floor(extract(epoch FROM greatest(r.newest_at - hr.published_at, interval '0')) / 86400) END))::int AS hosts
    FROM host_repositories o JOIN hosts h ON h.id = o.host_id AND h.approval_status = 'approved'
    WHERE o.repository_id = hr.repository_id AND o.counted AND o.published_at <= now()
      AND ${inScopeBySql('h.tags', '$2')}) n ON true
  WHERE hr.host_id = $1
  ORDER BY hr.enabled AND ${currentState} = 'outdated' DESC, hr.enabled DESC, hr.url, hr.suite, hr.source`;

function newestFetches(refreshes: readonly StoredRefresh[]): ReadonlyMap<string, Date> {
  const newest = new Map<string, Date>();
  for (const { id, at } of refreshes) {
    if (at === null) continue;
    const other = newest.get(id);
    if (other === undefined || new Date(at) > other) newest.set(id, new Date(at));
  }
  return newest;
}
