import {
  type DuePolicy,
  type DueTerms,
  dependsOnInstallation,
  dueTermsOf,
  type HostDue,
} from '@plimsoll/advisories';
import type { HostExposure, HostId, PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import { changedIdsIn, sameBuildsIn } from '../history/package-changes.ts';
import { kevFreshness } from '../kev/kev-state.ts';
import { readDuePolicy } from './due-policy.ts';

/** A host's terms of due dates, equal objects for equal terms. */
export interface LoadedDueTerms {
  readonly terms: DueTerms;
  /** Equal only for terms that give equal dates. */
  readonly key: string;
  /** Whether its due dates can depend on when it got its packages. */
  readonly byInstallation: boolean;
}

/** The terms of some hosts. */
export interface DueTermsOfHosts {
  /** By host; a deleted host has none. */
  readonly byHost: ReadonlyMap<HostId, LoadedDueTerms>;
  /** The time of the database clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Null: no policy is set. @param wanted a policy to use instead of the one in force */
export async function loadDueTerms(
  client: Statements,
  hosts: readonly HostId[],
  wanted?: DuePolicy,
): Promise<DueTermsOfHosts | null> {
  const policy = wanted ?? (await readDuePolicy(client)).policy;
  if (policy.rules.length === 0) return null;
  const { rows } = await client.query<{
    id: HostId;
    exposure: HostExposure;
    tags: readonly string[];
    now: Date;
    isCatalogOld: boolean;
  }>(
    `SELECT id, exposure, tags, now() AS now, ${kevFreshness} <> 'current' AS "isCatalogOld"
     FROM hosts WHERE id = ANY($1::uuid[])`,
    [hosts],
  );
  const known = new Map<string, LoadedDueTerms>();
  const byHost = new Map(
    rows.map(({ id, exposure, tags, isCatalogOld }) => {
      const terms = { ...dueTermsOf(policy, exposure, tags), isCatalogOld };
      const key = keyOf(policy, terms);
      const loaded = known.get(key) ?? { terms, key, byInstallation: dependsOnInstallation(terms) };
      known.set(key, loaded);
      return [id, loaded] as const;
    }),
  );
  return { byHost, now: rows[0]?.now.getTime() ?? 0 };
}

function keyOf({ preset }: DuePolicy, { exposure, rules }: DueTerms): string {
  return JSON.stringify([preset, exposure, rules]);
}

/** When hosts got package versions. */
export interface InstallTimes {
  of(host: HostId): (id: PackageVersionId) => number;
}

/**
 * When hosts got the builds of the package versions they have, in milliseconds since 1970: with the newest change that brought
 * the build, or with the host's first snapshot. A change to another package version of the same build brings nothing. Zero for
 * hosts without a snapshot.
 */
export async function loadInstallTimes(
  client: Statements,
  hosts: readonly { readonly hostId: HostId; readonly snapshotId: string }[],
): Promise<InstallTimes> {
  const first = await client.query<{ id: HostId; at: Date | null }>(
    `SELECT h.host_id AS id, coalesce(hs.first_snapshot_at, s.received_at) AS at
     FROM unnest($1::uuid[], $2::uuid[]) AS h (host_id, snapshot_id)
     JOIN host_state hs ON hs.host_id = h.host_id LEFT JOIN snapshots s ON s.id = h.snapshot_id`,
    [hosts.map(({ hostId }) => hostId), hosts.map(({ snapshotId }) => snapshotId)],
  );
  const changes = await client.query<{ host: HostId; id: PackageVersionId; at: Date | null }>(
    `WITH changed AS MATERIALIZED (
       SELECT p.host_id, p.at, c.from_id, c.to_id FROM package_changes p CROSS JOIN LATERAL ${changedIdsIn('p')}
       WHERE p.host_id = ANY($1::uuid[]) AND c.to_id <> 0),
     same AS (${sameBuildsIn('changed')}),
     brought AS (
       SELECT host_id, to_id, max(at) FILTER (WHERE same.from_id IS NULL) AS at
       FROM changed LEFT JOIN same USING (from_id, to_id) GROUP BY host_id, to_id)
     SELECT b.host_id AS host, b.to_id AS id, max(b.at) OVER (PARTITION BY b.host_id, v.name, v.architecture, v.version) AS at
     FROM brought b JOIN package_versions v ON v.id = b.to_id`,
    [hosts.map(({ hostId }) => hostId)],
  );
  const firsts = new Map(first.rows.map(({ id, at }) => [id, at?.getTime() ?? 0]));
  const times = new Map<HostId, Map<PackageVersionId, number>>();
  for (const { host, id, at } of changes.rows) {
    if (at === null) continue;
    const own = times.get(host) ?? new Map<PackageVersionId, number>();
    own.set(id, at.getTime());
    times.set(host, own);
  }
  return {
    of(host) {
      const own = times.get(host);
      const otherwise = firsts.get(host) ?? 0;
      return (id) => own?.get(id) ?? otherwise;
    },
  };
}

/** By what the findings of one host are due now; undefined: no policy is set. */
export async function loadHostDue(
  client: Statements,
  host: { readonly hostId: HostId; readonly snapshotId: string },
): Promise<HostDue | undefined> {
  const due = await loadDueTerms(client, [host.hostId]);
  const own = due?.byHost.get(host.hostId);
  if (due === null || own === undefined) return undefined;
  const times = own.byInstallation ? await loadInstallTimes(client, [host]) : null;
  return {
    terms: own.terms,
    now: due.now,
    installedAt: times?.of(host.hostId) ?? (() => 0),
  };
}

/** Has hosts counted again whose next due date has come. Returns their number. */
export async function recountDueHosts(client: Statements, limit: number): Promise<number> {
  const { rows } = await client.query<{ hosts: number }>(
    `WITH due AS (
       SELECT host_id, (row_number() OVER (ORDER BY host_id) - 1) / 500 AS piece FROM (
         SELECT host_id FROM host_state WHERE next_due_at <= now()
           AND host_id NOT IN (SELECT unnest(hosts) FROM recount_pieces WHERE hosts <> '{}')
         ORDER BY next_due_at LIMIT $1) d),
     pieces AS (
       INSERT INTO recount_pieces (hosts) SELECT array_agg(host_id ORDER BY host_id) FROM due GROUP BY piece)
     SELECT count(*)::int AS hosts FROM due`,
    [limit],
  );
  return rows[0]?.hosts ?? 0;
}
