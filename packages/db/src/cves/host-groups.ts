import { gapOfSilence } from '@plimsoll/advisories';
import {
  bitsOfGaps,
  type CveState,
  type CveStateReason,
  type Gap,
  gapsOfBits,
  type PackageVersionId,
  silenceGaps,
} from '@plimsoll/model';
import type { HostsAtSets } from '../advisories/host-page.ts';
import type { CveKnowledge } from './cve-knowledge.ts';

/** Gaps that change what silence means; see gapOfSilence of @plimsoll/advisories. */
const groupingGaps: readonly Gap[] = ['no_report', ...silenceGaps];
const silenceBits = bitsOfGaps(groupingGaps);

/** Approved hosts that are equal in everything that determines their state under a CVE. */
export interface HostGroup {
  /** 0 if the host's release is unknown. */
  readonly releaseId: number;
  /** Bits of `groupingGaps` only. */
  readonly gapBits: number;
  readonly feedUpdatedAt: Date | null;
  /** The number of the package versions in question that its set contains, as in SetsByVersion; 0 if it contains none. */
  readonly heldId: number;
  /** A judged kernel in question; 0 for all other kernels. */
  readonly kernelId: number;
  /** Whether the running kernel has no verdict; false for containers, which run no kernel of their own. */
  readonly runsUnknownKernel: boolean;
  readonly hosts: number;
}

/** The hosts of a fleet by group. */
export interface GroupedHosts {
  readonly groups: readonly HostGroup[];
  /** By position of an approved host: an index into `groups`. */
  readonly groupOf: Int32Array;
}

/**
 * Groups the approved hosts.
 * @param asked the number of what each set contains, as in SetsByVersion, and the kernels in question
 */
export function groupHosts(
  fleet: HostsAtSets,
  asked: {
    readonly heldOf: Pick<ReadonlyMap<number, number>, 'get'>;
    readonly kernelIds: ReadonlySet<PackageVersionId>;
  },
): GroupedHosts {
  const { releaseIds, gaps, releases } = fleet;
  const { flags } = fleet.columns;
  const groups: { -readonly [Name in keyof HostGroup]: HostGroup[Name] }[] = [];
  const groupOf = new Int32Array(fleet.setIds.length);
  const asksKernels = asked.kernelIds.size > 0;
  const indexes: (GroupIndexes | undefined)[] = [];
  fleet.each((position, setId, ownKernelId) => {
    const heldId = asked.heldOf.get(setId) ?? 0;
    const kernelId = asksKernels && asked.kernelIds.has(ownKernelId) ? ownKernelId : 0;
    const releaseId = releaseIds[position] ?? 0;
    const gapBits = (gaps[position] ?? 0) & silenceBits;
    const runsUnknown = flags.runsUnknownKernel[position] ?? 0;
    const known = indexes[heldId] ?? new GroupIndexes();
    indexes[heldId] = known;
    const key = (releaseId * 2 ** 16 + gapBits) * 2 + runsUnknown;
    let index = known.find(kernelId, key);
    if (index === undefined) {
      const updatedAt = releases.get(releaseId)?.feedUpdatedAt ?? null;
      const feedUpdatedAt = updatedAt === null ? null : new Date(updatedAt);
      const runsUnknownKernel = runsUnknown === 1;
      index =
        groups.push({ releaseId, gapBits, feedUpdatedAt, heldId, kernelId, runsUnknownKernel, hosts: 0 }) - 1;
      known.add(kernelId, key, index);
    }
    groupOf[position] = index;
    const group = groups[index];
    if (group !== undefined) group.hosts += 1;
  });
  return { groups, groupOf };
}

/** Indexes of the groups with the same packages in question. Most hosts are in the group that was found last. */
class GroupIndexes {
  private lastKernelId = -1;
  private lastKey = -1;
  private lastIndex = 0;
  /** By kernel and key. */
  private readonly known = new Map<number, Map<number, number>>();

  find(kernelId: number, key: number): number | undefined {
    if (kernelId === this.lastKernelId && key === this.lastKey) return this.lastIndex;
    const index = this.known.get(kernelId)?.get(key);
    if (index !== undefined) this.remember(kernelId, key, index);
    return index;
  }

  add(kernelId: number, key: number, index: number): void {
    const ofKernel = this.known.get(kernelId) ?? new Map<number, number>();
    this.known.set(kernelId, ofKernel.set(key, index));
    this.remember(kernelId, key, index);
  }

  private remember(kernelId: number, key: number, index: number): void {
    this.lastKernelId = kernelId;
    this.lastKey = key;
    this.lastIndex = index;
  }
}

/** The state of hosts under a CVE, with its reason. */
export interface StatedGroup {
  readonly state: CveState;
  readonly reason: CveStateReason | null;
}

/**
 * The state of a group's hosts under a CVE. Statements about installed packages decide first: affected before unchecked
 * before fixed. Without any, the host is not affected unless a gap prevents that answer.
 * @param held by number, as in SetsByVersion: the package versions in question.
 */
export function stateOfGroup(
  group: HostGroup,
  knowledge: CveKnowledge,
  held: readonly (readonly PackageVersionId[])[],
): StatedGroup {
  const gaps = gapsOfBits(group.gapBits);
  if (gaps.includes('no_report')) return { state: 'unknown', reason: 'no_report' };
  if (!knowledge.isKnown) return { state: 'unknown', reason: unknownReason(gaps) };
  const kinds = new Set(versionsOf(group, knowledge, held).map(({ kind }) => kind));
  if (kinds.has('affected')) return { state: 'affected', reason: null };
  if (kinds.has('negligible')) return { state: 'affected', reason: 'negligible' };
  if (kinds.has('unchecked') || (knowledge.isAboutKernels && group.runsUnknownKernel))
    return { state: 'unknown', reason: 'packages_unchecked' };
  if (kinds.has('fixed')) return { state: 'fixed', reason: null };
  const isNamed = knowledge.namedReleases.has(group.releaseId);
  const { feedUpdatedAt } = group;
  const { publishedAt, judgedReleases } = knowledge;
  const isJudged = judgedReleases.has(group.releaseId);
  const gap = gapOfSilence({ gaps, feedUpdatedAt, publishedAt, isNamed: isJudged });
  if (gap !== null) return { state: 'unknown', reason: gap };
  if (kinds.has('overridden')) return { state: 'not_affected', reason: 'overridden' };
  return { state: 'not_affected', reason: isNamed ? 'no_named_package' : 'not_named' };
}

/** The reason if no feed names the CVE. A missing feed comes first, because such a host is unknown for every CVE. */
function unknownReason(gaps: readonly Gap[]): CveStateReason {
  return (['no_feed', 'feed_never_synced'] as const).find((gap) => gaps.includes(gap)) ?? 'not_known_here';
}

/** The package versions on hosts of a group that a CVE could affect. */
export function versionsOf(
  { heldId, kernelId }: HostGroup,
  { versions }: CveKnowledge,
  held: readonly (readonly PackageVersionId[])[],
) {
  const kernel = versions.get(kernelId as PackageVersionId); // 0 is never an id.
  const ordinary = (held[heldId] ?? []).flatMap((id) => versions.get(id) ?? []);
  return [...ordinary.filter(({ isKernel }) => !isKernel), ...(kernel === undefined ? [] : [kernel])];
}
