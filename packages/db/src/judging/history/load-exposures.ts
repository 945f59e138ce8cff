import { groupBy, type HostId, type PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { changesIn } from './package-changes.ts';
import {
  bootedChains,
  installedChains,
  type KernelBoot,
  type PackageChange,
  packageKey,
  type VersionChain,
} from './version-chains.ts';

/** A host whose chains are loaded. */
export interface ChainHost {
  readonly hostId: HostId;
  readonly firstSnapshotAt: Date;
}

/** The chains of one package of a host. */
export interface PackageChains {
  readonly name: string;
  readonly architecture: string;
  readonly chains: readonly VersionChain[];
}

/** Selects the packages whose chains are loaded. */
export interface ChainSelection {
  /** Null: all. */
  readonly names: readonly string[] | null;
  /** The host's newest package set if the caller has it; otherwise it is loaded. */
  readonly installed?: readonly InstalledName[] | null;
}

/** The chains of a host's packages, also of those that it no longer has. */
export async function loadPackageChains(
  client: Statements,
  { hostId, firstSnapshotAt }: ChainHost,
  { names, installed: given = null }: ChainSelection,
): Promise<readonly PackageChains[]> {
  const { rows: changes } = await client.query<PackageChange>(
    `SELECT c.name, c.architecture, p.at, nullif(c.from_id, 0) AS "fromId", nullif(c.to_id, 0) AS "toId"
     FROM package_changes p CROSS JOIN LATERAL ${changesIn('p')}
     WHERE p.host_id = $1 AND ($2::text[] IS NULL OR c.name = ANY($2)) ORDER BY p.sequence, c.n`,
    [hostId, names],
  );
  const newest = given === null ? await loadInstalled(client, hostId, names) : selectInstalled(given, names);
  const installed = groupBy(newest, packageKey);
  const changed = groupBy(changes, packageKey);
  return [...new Set([...installed.keys(), ...changed.keys()])].map((key) => {
    const [name = '', architecture = ''] = key.split('\0');
    const ids = (installed.get(key) ?? []).map(({ id }) => id);
    return { name, architecture, chains: installedChains(ids, changed.get(key) ?? [], firstSnapshotAt) };
  });
}

/** An installed package version. */
export interface InstalledName {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
}

/** The same as loadInstalled, of a set that the caller has. */
function selectInstalled(
  newest: readonly InstalledName[],
  names: readonly string[] | null,
): readonly InstalledName[] {
  const wanted = names === null ? null : new Set(names);
  return newest.filter(({ name }) => wanted === null || wanted.has(name)).toSorted((a, b) => a.id - b.id);
}

/** The versions in a host's newest package set. @param names null: all. */
async function loadInstalled(
  client: Statements,
  hostId: HostId,
  names: readonly string[] | null,
): Promise<readonly InstalledName[]> {
  const { rows: sets } = await client.query<{ ids: Uint8Array }>(
    'SELECT ps.ids FROM host_state hs JOIN package_sets ps ON ps.id = hs.set_id WHERE hs.host_id = $1',
    [hostId],
  );
  const { rows } = await client.query<InstalledName>(
    `SELECT id, name, architecture FROM package_versions WHERE id = ANY($1::int[]) AND ($2::text[] IS NULL OR name = ANY($2))
     ORDER BY id`,
    [sets.flatMap(({ ids }) => decodePackageSet(ids)), names],
  );
  return rows;
}

/** The chains of a host's running kernel. */
export async function loadBootedChains(
  client: Statements,
  { hostId, firstSnapshotAt }: ChainHost,
): Promise<readonly VersionChain[]> {
  const { rows } = await client.query<{
    judged: PackageVersionId | null;
    at: Date | null;
    kernelId: PackageVersionId | null;
  }>(
    `SELECT hs.judged_kernel_id AS judged, hc.at, hc.booted_kernel_id AS "kernelId"
     FROM host_state hs LEFT JOIN host_changes hc ON hc.host_id = hs.host_id WHERE hs.host_id = $1 ORDER BY hc.sequence`,
    [hostId],
  );
  const boots = rows.flatMap(({ at, kernelId }): KernelBoot[] => (at === null ? [] : [{ at, kernelId }]));
  return bootedChains(rows[0]?.judged ?? null, boots, firstSnapshotAt);
}
