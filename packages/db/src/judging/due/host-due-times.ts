import { type HostDue, startOfDay } from '@plimsoll/advisories';
import type { HostId, PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { changedIdsIn, sameBuildsIn } from '../history/package-changes.ts';
import { type LoadedDueTerms, loadDueTerms } from './host-due-terms.ts';

/** The times of hosts at which clocks of due dates start. */
export interface DueTimes {
  of(host: HostId): Pick<HostDue, 'installedAt' | 'firstReportAt'>;
}

/** A host whose times are asked for. */
export interface TimedHost extends Pick<LoadedDueTerms, 'byInstallation' | 'byFirstReport'> {
  readonly hostId: HostId;
  readonly snapshotId: string;
}

/** Those of a host on whose times no due date depends. */
const noTimes: ReturnType<DueTimes['of']> = { installedAt: () => 0, firstReportAt: 0 };

/** The times of some hosts; of others all are zero. */
export async function loadDueTimes(client: Statements, hosts: readonly TimedHost[]): Promise<DueTimes> {
  if (hosts.length === 0) return { of: () => noTimes };
  const firsts = await loadFirstReports(client, hosts);
  const timed = hosts.flatMap(({ hostId, byInstallation }) => (byInstallation ? [hostId] : []));
  const brought = timed.length === 0 ? null : await loadBroughtAt(client, timed);
  return {
    of(host) {
      const first = firsts.get(host) ?? 0;
      const own = brought?.get(host);
      return { installedAt: (id) => own?.get(id) ?? first, firstReportAt: startOfDay(first) };
    },
  };
}

/** The days of the first reports of hosts on which their due dates can depend; of others zero. */
export async function loadFirstReportDays<
  Host extends { readonly hostId: HostId; readonly snapshotId: string },
>(
  client: Statements,
  hosts: readonly Host[],
  termsOf: (host: Host) => LoadedDueTerms | undefined,
): Promise<(host: HostId) => number> {
  const asked = timedHosts(hosts, termsOf).filter(({ byFirstReport }) => byFirstReport);
  const days = await loadDueTimes(
    client,
    asked.map((host) => ({ ...host, byInstallation: false })),
  );
  return (host) => days.of(host).firstReportAt;
}

/** When hosts reported first; zero for hosts without a snapshot. */
async function loadFirstReports(
  client: Statements,
  hosts: readonly TimedHost[],
): Promise<ReadonlyMap<HostId, number>> {
  const { rows } = await client.query<{ id: HostId; at: Date | null }>(
    `SELECT h.host_id AS id, coalesce(hs.first_snapshot_at, s.received_at) AS at
     FROM unnest($1::uuid[], $2::uuid[]) AS h (host_id, snapshot_id)
     JOIN host_state hs ON hs.host_id = h.host_id LEFT JOIN snapshots s ON s.id = h.snapshot_id`,
    [hosts.map(({ hostId }) => hostId), hosts.map(({ snapshotId }) => snapshotId)],
  );
  return new Map(rows.map(({ id, at }) => [id, at?.getTime() ?? 0]));
}

/**
 * When a change brought hosts the builds of the package versions they have, in milliseconds since 1970: the newest change.
 * Those that a host had in its first snapshot have none. A change to another package version of the same build brings nothing.
 */
async function loadBroughtAt(
  client: Statements,
  hosts: readonly HostId[],
): Promise<ReadonlyMap<HostId, ReadonlyMap<PackageVersionId, number>>> {
  const { rows } = await client.query<{ host: HostId; id: PackageVersionId; at: Date | null }>(
    `WITH changed AS MATERIALIZED (
       SELECT p.host_id, p.at, c.from_id, c.to_id FROM package_changes p CROSS JOIN LATERAL ${changedIdsIn('p')}
       WHERE p.host_id = ANY($1::uuid[]) AND c.to_id <> 0),
     same AS (${sameBuildsIn('changed')}),
     brought AS (
       SELECT host_id, to_id, max(at) FILTER (WHERE same.from_id IS NULL) AS at
       FROM changed LEFT JOIN same USING (from_id, to_id) GROUP BY host_id, to_id)
     SELECT b.host_id AS host, b.to_id AS id, max(b.at) OVER (PARTITION BY b.host_id, v.name, v.architecture, v.version) AS at
     FROM brought b JOIN package_versions v ON v.id = b.to_id`,
    [hosts],
  );
  const times = new Map<HostId, Map<PackageVersionId, number>>();
  for (const { host, id, at } of rows) {
    if (at === null) continue;
    const own = times.get(host) ?? new Map<PackageVersionId, number>();
    own.set(id, at.getTime());
    times.set(host, own);
  }
  return times;
}

/** By what the findings of one host are due now; undefined: no policy is set. */
export async function loadHostDue(
  client: Statements,
  host: { readonly hostId: HostId; readonly snapshotId: string },
): Promise<HostDue | undefined> {
  const due = await loadDueTerms(client, [host.hostId]);
  const own = due?.byHost.get(host.hostId);
  if (due === null || own === undefined) return undefined;
  const times = await loadDueTimes(
    client,
    timedHosts([host], () => own),
  );
  return { terms: own.terms, now: due.now, ...times.of(host.hostId) };
}

/** Of some hosts those whose own times their due dates depend on. */
export function timedHosts<Host extends { readonly hostId: HostId; readonly snapshotId: string }>(
  hosts: readonly Host[],
  termsOf: (host: Host) => LoadedDueTerms | undefined,
): readonly TimedHost[] {
  return hosts.flatMap((host) => {
    const terms = termsOf(host);
    if (terms === undefined || !(terms.byInstallation || terms.byFirstReport)) return [];
    const { hostId, snapshotId } = host;
    return [{ hostId, snapshotId, byInstallation: terms.byInstallation, byFirstReport: terms.byFirstReport }];
  });
}
