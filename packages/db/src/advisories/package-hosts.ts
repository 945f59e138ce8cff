import type { OsFamily, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { decodePackageSet } from '../interning/package-set.ts';
import {
  countHostsWith,
  countUnreportedHosts,
  type ListedHost,
  type ListedHostCursor,
  pageOfHosts,
} from './host-page.ts';
import { scanSets } from './scan-sets.ts';

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

/** The hosts that have a package, with the versions they have. */
export async function listHostsWithPackage(
  client: pg.PoolClient,
  { name, wants, isUncompared, limit, after }: PackageQuestion,
): Promise<HostsWithPackage> {
  const { rows } = await client.query<NamedVersion>(
    `SELECT v.id, v.release_id AS "releaseId", r.name AS release, coalesce(
              (SELECT hs.os_family FROM host_state hs WHERE hs.release_id = v.release_id LIMIT 1), 'unknown') AS "osFamily",
            v.name, v.architecture, v.version, v.source_name AS "sourceName", v.source_version AS "sourceVersion",
            v.vendor, v.module
     FROM package_versions v JOIN releases r ON r.id = v.release_id WHERE v.name = $1
     ORDER BY v.architecture, v.version, v.id`,
    [name],
  );
  const wanted = rows.filter(wants);
  const ids = new Set(wanted.map(({ id }) => id));
  const sets = await scanSets(client, [...new Set(wanted.map(({ releaseId }) => releaseId))], ids);
  const uncompared = new Set(wanted.filter(isUncompared).map(({ id }) => id));
  const which = { setIds: [...sets.keys()], kernelIds: [] };
  const listed = await pageOfHosts(client, which, { limit, after });
  const held = await client.query<{ hostId: string; ids: Uint8Array; heldIds: PackageVersionId[] }>(
    `SELECT hs.host_id AS "hostId", ps.ids, s.held_ids AS "heldIds" FROM host_state hs
     JOIN snapshots s ON s.id = hs.snapshot_id JOIN package_sets ps ON ps.id = hs.set_id
     WHERE hs.host_id = ANY($1::uuid[])`,
    [listed.map(({ id }) => id)],
  );
  const stateOf = new Map(
    held.rows.map((row) => [
      row.hostId,
      { has: new Set(decodePackageSet(row.ids)), held: new Set(row.heldIds) },
    ]),
  );
  return {
    total: await countHostsWith(client, which),
    uncompared: await countHostsWith(client, { setIds: setsWithAny(sets, uncompared), kernelIds: [] }),
    unreported: await countUnreportedHosts(client),
    hosts: listed.map((host) => {
      const state = stateOf.get(host.id);
      return {
        listed: host,
        installed: wanted
          .filter(({ id }) => state?.has.has(id) === true)
          .map((version) => ({ version, held: state?.held.has(version.id) === true })),
      };
    }),
  };
}

function setsWithAny(
  sets: ReadonlyMap<number, readonly PackageVersionId[]>,
  versions: ReadonlySet<PackageVersionId>,
): number[] {
  return [...sets].filter(([, held]) => held.some((id) => versions.has(id))).map(([id]) => id);
}
