import type { HostScope, OsFamily, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { findSets } from '../../ingest/set-postings.ts';
import {
  type GroupedHost,
  groupHosts,
  type HostGroup,
  hostsInGroups,
  hostsOf,
  type ListedHost,
  type ListedHostCursor,
  showHosts,
} from './hosts-at-sets.ts';

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

/** The hosts that have a package, as of one moment. */
export interface PackageHosts extends Omit<HostsWithPackage, 'hosts'> {
  /** By display name; a page, or all, and then those without reported packages. */
  readonly hosts: readonly GroupedHost<InstalledVersions>[];
}

/** What hosts of a group have installed: the selected versions, by architecture and version. */
interface InstalledVersions extends HostGroup {
  readonly versions: readonly NamedVersion[];
}

/** Finds the approved hosts of a scope that have a package. @param place null: all of them, and those without reported packages */
export async function findPackageHosts(
  client: pg.PoolClient,
  scope: HostScope,
  { name, wants, isUncompared }: Omit<PackageQuestion, 'limit' | 'after'>,
  place: Pick<PackageQuestion, 'limit' | 'after'> | null,
): Promise<PackageHosts> {
  const { rows } = await client.query<NamedVersion>(
    `SELECT v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
            v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.module,
            coalesce((SELECT s.os_family FROM host_state s WHERE s.release_id = v.release_id LIMIT 1), 'unknown') AS "osFamily"
     FROM package_versions v JOIN releases r ON r.id = v.release_id WHERE v.name = $1
     ORDER BY v.architecture, v.version, v.id`,
    [name],
  );
  const wanted = rows.filter(wants);
  const { heldOf, held } = await findSets(
    client,
    wanted.map(({ id }) => id),
  );
  const versionsIn = held.map((ids) => {
    const has = new Set(ids);
    return wanted.filter(({ id }) => has.has(id));
  });
  const question = { scope, numbers: heldOf };
  const groups = (await groupHosts(client, question)).map((group) => ({
    ...group,
    versions: versionsIn[group.number] ?? [],
  }));
  const having = groups.filter(({ number }) => number > 0);
  const unreported = groups.filter(({ isUnreported }) => isUnreported);
  const hosts = await hostsInGroups(client, question, having, place ?? {});
  return {
    total: hostsOf(having),
    uncompared: hostsOf(having.filter(({ versions }) => versions.some(isUncompared))),
    unreported: hostsOf(unreported),
    hosts: place === null ? [...hosts, ...(await hostsInGroups(client, question, unreported))] : hosts,
  };
}

/** Shows some of the hosts that were found. */
export async function showPackageHosts(
  client: pg.PoolClient,
  hosts: PackageHosts['hosts'],
): Promise<HostsWithPackage['hosts']> {
  const { rows } = await client.query<{ hostId: string; ids: PackageVersionId[] }>(
    `SELECT hs.host_id AS "hostId", s.held_ids AS ids FROM host_state hs
     JOIN snapshots s ON s.id = hs.snapshot_id WHERE hs.host_id = ANY($1::uuid[])`,
    [hosts.map(({ id }) => id)],
  );
  const heldBack = new Map(rows.map(({ hostId, ids }) => [hostId, new Set(ids)]));
  return (await showHosts(client, hosts)).map(({ listed, group: { versions } }) => ({
    listed,
    installed: versions.map((version) => ({
      version,
      held: heldBack.get(listed.id)?.has(version.id) === true,
    })),
  }));
}
