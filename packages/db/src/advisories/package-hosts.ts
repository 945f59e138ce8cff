import type { OsFamily, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { findSets } from '../interning/set-postings.ts';
import type { HostsAtSets, ListedHost, ListedHostCursor } from './host-page.ts';

/** A distinct version of a package with a given name. */
export interface NamedVersion {
  readonly id: PackageVersionId;
  readonly releaseId: number;
  readonly release: Release;
  /** The OS family of hosts of its release. */
  readonly osFamily: OsFamily;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly vendor: string;
  readonly module: string;
}

/** Selects the hosts that have a package. */
export interface PackageQuestion {
  /** The name of the binary package. */
  readonly name: string;
  /** Selects versions. */
  readonly wants: (version: NamedVersion) => boolean;
  /** Which of the selected versions could not be compared and are selected for that reason. */
  readonly isUncompared: (version: NamedVersion) => boolean;
  readonly limit: number;
  readonly after: ListedHostCursor | null;
}

/** A page of the approved hosts that have a package, by display name. */
export interface HostsWithPackage {
  /** The number of hosts on all pages. */
  readonly total: number;
  /** The number of hosts with an uncompared version. */
  readonly uncompared: number;
  /** The number of approved hosts without reported packages, about which nothing is known. */
  readonly unreported: number;
  readonly hosts: readonly {
    readonly listed: ListedHost;
    /** The selected versions, by architecture and version. */
    readonly installed: readonly { readonly version: NamedVersion; readonly held: boolean }[];
  }[];
}

/**
 * The hosts that have a package, with the versions they have.
 * @param fleet taken before the transaction of `client` began
 */
export async function listHostsWithPackage(
  client: pg.PoolClient,
  fleet: HostsAtSets,
  { name, wants, isUncompared, limit, after }: PackageQuestion,
): Promise<HostsWithPackage> {
  const { rows } = await client.query<Omit<NamedVersion, 'osFamily'>>(
    `SELECT v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
            v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.module
     FROM package_versions v JOIN releases r ON r.id = v.release_id WHERE v.name = $1
     ORDER BY v.architecture, v.version, v.id`,
    [name],
  );
  const families = fleet.osFamilies(rows.map(({ releaseId }) => releaseId));
  const wanted = rows
    .map((version) => ({ ...version, osFamily: families.get(version.releaseId) ?? 'unknown' }))
    .filter(wants);
  const byId = new Map(wanted.map((version) => [version.id, version]));
  const { heldOf, held } = await findSets(client, byId.keys(), { memory: fleet.setMemory });
  const uncompared = new Set(wanted.filter(isUncompared).map(({ id }) => id));
  const isUncomparedSet = held.map((versions) => versions.some((id) => uncompared.has(id)));
  const { setIds } = fleet;
  const heldIds = heldOf.numbersOf(setIds);
  const having = fleet.selectOften(
    `having ${[...byId.keys()].sort((a, b) => a - b)}`,
    () => (position) => (heldIds[position] ?? 0) > 0,
  );
  const listed = fleet.page(having, { limit, after });
  const heldBack = await client.query<{ hostId: string; ids: PackageVersionId[] }>(
    `SELECT hs.host_id AS "hostId", s.held_ids AS ids FROM host_state hs
     JOIN snapshots s ON s.id = hs.snapshot_id WHERE hs.host_id = ANY($1::uuid[])`,
    [listed.map(({ id }) => id)],
  );
  const heldBackOn = new Map(heldBack.rows.map(({ hostId, ids }) => [hostId, new Set(ids)]));
  return {
    total: having.total,
    uncompared:
      uncompared.size === 0
        ? 0
        : countOf(fleet, (position) => isUncomparedSet[heldIds[position] ?? 0] === true),
    unreported: countOf(fleet, (position) => setIds[position] === 0),
    hosts: listed.map(({ position, ...host }) => {
      const has = new Set(held[heldIds[position] ?? 0]);
      return {
        listed: host,
        installed: wanted
          .filter(({ id }) => has.has(id))
          .map((version) => ({ version, held: heldBackOn.get(host.id)?.has(version.id) === true })),
      };
    }),
  };
}

/** The number of hosts at whose positions `wants` holds. */
function countOf(fleet: HostsAtSets, wants: (position: number) => boolean): number {
  let hosts = 0;
  for (const position of fleet.positions()) if (wants(position)) hosts += 1;
  return hosts;
}
