import { type AdvisoryKey, groupBy, type PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import type { SetsByVersion } from '../interning/set-numbers.ts';
import { findSets } from '../interning/set-postings.ts';
import { type AffectedBy, type AffectedVersion, findAffectedVersions } from './affected-versions.ts';
import type { HostsAtSets, ListedHost, ListedHostCursor } from './host-page.ts';
import { type HostPart, loadPartialHosts } from './partial-hosts.ts';

/** The number of approved hosts on which an advisory is a finding, without hidden findings. */
export interface AffectedHostCounts {
  readonly total: number;
  /** Hosts for which the advisory has a fix of at least one package. */
  readonly withFix: number;
}

/** A host on which an advisory is a finding. */
export interface AffectedHost {
  readonly listed: ListedHost;
  /** The part of the host that the advisory's findings depend on; null if the host was deleted in the meantime. */
  readonly part: HostPart | null;
}

/** A page of the hosts that the given advisories affect. */
export interface AffectedHostPage {
  /** The number of hosts on all pages. */
  readonly total: number;
  readonly hosts: readonly AffectedHost[];
  /** The statements that make the hosts affected. */
  readonly statementIds: ReadonlySet<number>;
}

/**
 * Counts the hosts on which advisories are findings. An advisory affects a host if the host's set contains an affected
 * package version, or if its judged kernel is affected; assessing the host gives the same answer.
 * @param fleet taken before the transaction of `client` began
 * @param groups of advisories; a host affected by several advisories of a group counts once in it.
 */
export async function countAffectedHosts<Group>(
  client: pg.PoolClient,
  fleet: HostsAtSets,
  groups: ReadonlyMap<Group, readonly AdvisoryKey[]>,
  { includeFolded }: Pick<AffectedBy, 'includeFolded'>,
): Promise<ReadonlyMap<Group, AffectedHostCounts>> {
  const versions = await findAffectedVersions(client, [...new Set([...groups.values()].flat())], {
    includeHidden: false,
    includeFolded,
  });
  const groupsOf = indexGroups(groups, versions);
  const { heldOf, held } = await findSets(client, ordinary(versions), { memory: fleet.setMemory });
  const counts = new Map([...groups.keys()].map((group) => [group, { total: 0, withFix: 0 }]));
  const kernels = new Set(versions.filter(({ isKernel }) => isKernel).map(({ id }) => id));
  const alike = new Map<number, { readonly set: number; readonly kernel: PackageVersionId; hosts: number }>();
  const heldIds = heldOf.numbersOf(fleet.setIds);
  for (const position of fleet.positions()) {
    const set = heldIds[position] ?? 0;
    const own = (fleet.kernelIds[position] ?? 0) as PackageVersionId; // 0 is never an id.
    const kernel = kernels.has(own) ? own : noKernel;
    if (set === 0 && kernel === noKernel) continue;
    const key = set * 2 ** 31 + kernel;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { set, kernel, hosts: 1 });
    else known.hosts += 1;
  }
  for (const { set, kernel, hosts } of alike.values()) {
    const reached = new Map<Group, boolean>();
    const reach = (index: Membership<Group>, id: PackageVersionId) => {
      for (const { group, fixed } of index.get(id) ?? []) {
        reached.set(group, fixed || reached.get(group) === true);
      }
    };
    for (const id of held[set] ?? []) reach(groupsOf.ordinary, id);
    if (kernel !== noKernel) reach(groupsOf.kernels, kernel);
    for (const [group, fixed] of reached) {
      const count = counts.get(group);
      if (count === undefined) continue;
      count.total += hosts;
      if (fixed) count.withFix += hosts;
    }
  }
  return counts;
}

/** No id of a package version. */
const noKernel = 0 as PackageVersionId;

/** What the given advisories affect: package versions, and the sets and kernels of hosts that have them. */
export interface AdvisoryReach {
  readonly versions: readonly AffectedVersion[];
  readonly sets: SetsByVersion;
  readonly kernelIds: ReadonlySet<PackageVersionId>;
}

/** Finds what the given advisories affect. */
export async function findReach(
  client: pg.PoolClient,
  fleet: Pick<HostsAtSets, 'setMemory'>,
  advisories: readonly AdvisoryKey[],
  { includeHidden }: Pick<AffectedBy, 'includeHidden'>,
): Promise<AdvisoryReach> {
  const versions = await findAffectedVersions(client, advisories, { includeHidden, includeFolded: true });
  const kernelIds = new Set(versions.filter(({ isKernel }) => isKernel).map(({ id }) => id));
  return {
    versions,
    sets: await findSets(client, ordinary(versions), { memory: fleet.setMemory }),
    kernelIds,
  };
}

/**
 * A page of the approved hosts on which any of the given advisories is a finding, by display name.
 * @param fleet taken before the transaction in which the reach was found began
 */
export async function listAffectedHosts(
  client: pg.PoolClient,
  fleet: HostsAtSets,
  { versions, sets, kernelIds }: AdvisoryReach,
  page: { readonly limit: number; readonly after: ListedHostCursor | null },
): Promise<AffectedHostPage> {
  const affected = fleet.selectOften(`affected ${reachKey(versions)}`, () => {
    const heldIds = sets.heldOf.numbersOf(fleet.setIds);
    return (position) =>
      (heldIds[position] ?? 0) > 0 || kernelIds.has((fleet.kernelIds[position] ?? 0) as PackageVersionId); // 0 is never an id.
  });
  const listed = fleet.page(affected, page).map(({ position: _position, ...host }) => host);
  const loaded = await loadPartialHosts(
    client,
    listed.map(({ id }) => id),
    {
      versionIds: versions.map(({ id }) => id),
      advisories: [...new Set(versions.flatMap((version) => version.advisories))],
      withKernels: kernelIds.size > 0,
    },
  );
  return {
    total: affected.total,
    hosts: listed.map((host) => ({ listed: host, part: loaded.get(host.id) ?? null })),
    statementIds: new Set(versions.flatMap(({ statementIds }) => statementIds)),
  };
}

/** Equal for the same affected versions. */
function reachKey(versions: readonly AffectedVersion[]): string {
  const ids = versions.map(({ id, isKernel }) => (isKernel ? -id : id));
  return [...new Set(ids)].sort((a, b) => a - b).join(' ');
}

type Membership<Group> = ReadonlyMap<PackageVersionId, readonly { group: Group; fixed: boolean }[]>;

/** By package version: the groups with an advisory that affects it. */
function indexGroups<Group>(
  groups: ReadonlyMap<Group, readonly AdvisoryKey[]>,
  versions: readonly AffectedVersion[],
): { readonly ordinary: Membership<Group>; readonly kernels: Membership<Group> } {
  const members = [...groups].flatMap(([group, advisories]) =>
    advisories.map((advisory) => ({ advisory, group })),
  );
  const ofAdvisory = groupBy(members, ({ advisory }) => advisory);
  const entriesOf = (isKernel: boolean) =>
    versions
      .filter((version) => version.isKernel === isKernel)
      .flatMap(({ asked, id, fixed }) =>
        (ofAdvisory.get(asked) ?? []).map(({ group }) => ({ id, group, fixed })),
      );
  return {
    ordinary: groupBy(entriesOf(false), ({ id }) => id),
    kernels: groupBy(entriesOf(true), ({ id }) => id),
  };
}

function ordinary(versions: readonly AffectedVersion[]): PackageVersionId[] {
  return versions.filter(({ isKernel }) => !isKernel).map(({ id }) => id);
}
