import { type AdvisoryKey, groupBy, type PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import type { HostToAssess } from '../assessments/stored-host.ts';
import { type AffectedBy, type AffectedVersion, findAffectedVersions } from './affected-versions.ts';
import {
  countHostsWith,
  type HostsWith,
  type ListedHost,
  type ListedHostCursor,
  pageOfHosts,
} from './host-page.ts';
import { loadPartialHosts } from './partial-hosts.ts';
import { scanSets } from './scan-sets.ts';

/** The number of approved hosts on which an advisory is a finding, without hidden findings. */
export interface AffectedHostCounts {
  readonly total: number;
  /** Hosts for which the advisory has a fix of at least one package. */
  readonly withFix: number;
}

/** A host on which an advisory is a finding. */
export interface AffectedHost {
  readonly listed: ListedHost;
  /**
   * The part of the host that the advisory's findings depend on: assessing it gives the same findings of the advisory
   * as assessing the whole host. Null if the host was deleted in the meantime.
   */
  readonly host: HostToAssess | null;
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
 * @param groups of advisories; a host affected by several advisories of a group counts once in it.
 */
export async function countAffectedHosts<Group>(
  client: pg.PoolClient,
  groups: ReadonlyMap<Group, readonly AdvisoryKey[]>,
  { includeFolded }: Pick<AffectedBy, 'includeFolded'>,
): Promise<ReadonlyMap<Group, AffectedHostCounts>> {
  const versions = await findAffectedVersions(client, [...new Set([...groups.values()].flat())], {
    includeHidden: false,
    includeFolded,
  });
  const groupsOf = indexGroups(groups, versions);
  const sets = await scanSets(client, releasesOf(versions), new Set(ordinary(versions)));
  const counts = new Map([...groups.keys()].map((group) => [group, { total: 0, withFix: 0 }]));
  const kernels = versions.filter(({ isKernel }) => isKernel).map(({ id }) => id);
  const { rows } = await client.query<{
    setId: number | null;
    kernelId: PackageVersionId | null;
    hosts: number;
  }>(
    `SELECT hs.set_id AS "setId", hs.judged_kernel_id AS "kernelId", count(*)::int AS hosts
     FROM host_state hs JOIN hosts h ON h.id = hs.host_id AND h.approval_status = 'approved'
     WHERE hs.set_id = ANY($1::int[]) OR hs.judged_kernel_id = ANY($2::int[]) GROUP BY 1, 2`,
    [[...sets.keys()], kernels],
  );
  for (const { setId, kernelId, hosts } of rows) {
    const held = setId === null ? [] : (sets.get(setId) ?? []);
    const reached = new Map<Group, boolean>();
    const reach = (index: Membership<Group>, id: PackageVersionId) => {
      for (const { group, fixed } of index.get(id) ?? []) {
        reached.set(group, fixed || reached.get(group) === true);
      }
    };
    for (const id of held) reach(groupsOf.ordinary, id);
    if (kernelId !== null) reach(groupsOf.kernels, kernelId);
    for (const [group, fixed] of reached) {
      const count = counts.get(group);
      if (count === undefined) continue;
      count.total += hosts;
      if (fixed) count.withFix += hosts;
    }
  }
  return counts;
}

/** What the given advisories affect: package versions, and the sets and kernels of hosts that have them. */
export interface AdvisoryReach {
  readonly versions: readonly AffectedVersion[];
  readonly which: HostsWith;
}

/** Finds what the given advisories affect. Reads every package set. */
export async function findReach(
  client: pg.PoolClient,
  advisories: readonly AdvisoryKey[],
  { includeHidden }: Pick<AffectedBy, 'includeHidden'>,
): Promise<AdvisoryReach> {
  const versions = await findAffectedVersions(client, advisories, { includeHidden, includeFolded: true });
  const sets = await scanSets(client, releasesOf(versions), new Set(ordinary(versions)));
  const kernelIds = versions.filter(({ isKernel }) => isKernel).map(({ id }) => id);
  return { versions, which: { setIds: [...sets.keys()], kernelIds } };
}

/** A page of the approved hosts on which any of the given advisories is a finding, by display name. */
export async function listAffectedHosts(
  client: pg.PoolClient,
  { versions, which }: AdvisoryReach,
  page: { readonly limit: number; readonly after: ListedHostCursor | null },
): Promise<AffectedHostPage> {
  const { kernelIds } = which;
  const total = await countHostsWith(client, which);
  const listed = await pageOfHosts(client, which, page);
  const loaded = await loadPartialHosts(
    client,
    listed.map(({ id }) => id),
    {
      versionIds: versions.map(({ id }) => id),
      advisories: [...new Set(versions.flatMap((version) => version.advisories))],
      withKernels: kernelIds.length > 0,
    },
  );
  return {
    total,
    hosts: listed.map((host) => ({ listed: host, host: loaded.get(host.id) ?? null })),
    statementIds: new Set(versions.flatMap(({ statementIds }) => statementIds)),
  };
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

function releasesOf(versions: readonly AffectedVersion[]): number[] {
  return [...new Set(versions.map(({ releaseId }) => releaseId))];
}
