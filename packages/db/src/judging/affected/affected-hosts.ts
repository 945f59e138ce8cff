import { type AdvisoryKey, groupBy, type HostScope, type PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { findSets } from '../../ingest/set-postings.ts';
import { type AffectedBy, type AffectedVersion, findAffectedVersions } from './affected-versions.ts';
import {
  type GroupedHost,
  groupHosts,
  type HostGroup,
  hostsInGroups,
  hostsOf,
  type ListedHost,
  showHosts,
} from './hosts-at-sets.ts';
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
 * Counts the hosts of a scope on which advisories are findings. An advisory affects a host if the host's set contains an affected
 * package version, or if its judged kernel is affected; assessing the host gives the same answer.
 * @param groups of advisories; a host affected by several advisories of a group counts once in it.
 */
export async function countAffectedHosts<Group>(
  client: pg.PoolClient,
  scope: HostScope,
  groups: ReadonlyMap<Group, readonly AdvisoryKey[]>,
  { includeFolded }: Pick<AffectedBy, 'includeFolded'>,
): Promise<ReadonlyMap<Group, AffectedHostCounts>> {
  const versions = await findAffectedVersions(client, [...new Set([...groups.values()].flat())], {
    includeHidden: false,
    includeFolded,
  });
  const groupsOf = indexGroups(groups, versions);
  const { heldOf, held } = await findSets(client, ordinary(versions));
  const counts = new Map([...groups.keys()].map((group) => [group, { total: 0, withFix: 0 }]));
  const question = { scope, numbers: heldOf, kernelIds: kernelsOf(versions) };
  for (const { number, kernelId, hosts } of await groupHosts(client, question)) {
    const reached = new Map<Group, boolean>();
    const reach = (index: Membership<Group>, id: PackageVersionId) => {
      for (const { group, fixed } of index.get(id) ?? []) {
        reached.set(group, fixed || reached.get(group) === true);
      }
    };
    for (const id of held[number] ?? []) reach(groupsOf.ordinary, id);
    reach(groupsOf.kernels, kernelId);
    for (const [group, fixed] of reached) {
      const count = counts.get(group);
      if (count === undefined) continue;
      count.total += hosts;
      if (fixed) count.withFix += hosts;
    }
  }
  return counts;
}

/** The hosts that advisories affect, as of one moment. */
export interface AffectedHosts {
  /** By display name. */
  readonly hosts: readonly GroupedHost<HostGroup>[];
  /** The number of all of them, whatever page was asked for. */
  readonly total: number;
  readonly versions: readonly AffectedVersion[];
}

/** Finds the approved hosts of a scope on which any of the given advisories is a finding: a page, or all. */
export async function findAffectedHosts(
  client: pg.PoolClient,
  scope: HostScope,
  advisories: readonly AdvisoryKey[],
  { includeHidden, ...page }: Pick<AffectedBy, 'includeHidden'> & Parameters<typeof hostsInGroups>[3],
): Promise<AffectedHosts> {
  const versions = await findAffectedVersions(client, advisories, { includeHidden, includeFolded: true });
  const { heldOf } = await findSets(client, ordinary(versions));
  const question = { scope, numbers: heldOf, kernelIds: kernelsOf(versions) };
  const groups = await groupHosts(client, question);
  const affected = groups.filter(({ number, kernelId }) => number > 0 || kernelId !== noKernel);
  return { hosts: await hostsInGroups(client, question, affected, page), total: hostsOf(affected), versions };
}

/** Shows some of the hosts that were found. */
export async function showAffectedHosts(
  client: pg.PoolClient,
  { hosts, total, versions }: AffectedHosts,
): Promise<AffectedHostPage> {
  const loaded = await loadPartialHosts(
    client,
    hosts.map(({ id }) => id),
    {
      versionIds: versions.map(({ id }) => id),
      advisories: [...new Set(versions.flatMap((version) => version.advisories))],
      withKernels: kernelsOf(versions).size > 0,
    },
  );
  return {
    total,
    hosts: (await showHosts(client, hosts)).map(({ listed }) => ({
      listed,
      part: loaded.get(listed.id) ?? null,
    })),
    statementIds: new Set(versions.flatMap(({ statementIds }) => statementIds)),
  };
}

/** No id of a package version. */
const noKernel = 0;

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

function kernelsOf(versions: readonly AffectedVersion[]): ReadonlySet<PackageVersionId> {
  return new Set(versions.filter(({ isKernel }) => isKernel).map(({ id }) => id));
}
