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
import type { SetNumbers } from '../interning/set-numbers.ts';
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
 * Groups the approved hosts. Takes about four milliseconds for 100,000 hosts.
 * @param asked the number of what each set contains, as in SetsByVersion, and the kernels in question
 */
export function groupHosts(
  fleet: HostsAtSets,
  asked: {
    readonly heldOf: Pick<SetNumbers, 'numbersOf'>;
    readonly kernelIds: ReadonlySet<PackageVersionId>;
  },
): GroupedHosts {
  const { setIds, kernelIds } = fleet;
  const { all: classes, classOf } = classesOf(fleet);
  const asksKernels = asked.kernelIds.size > 0;
  const keys: GroupKey[] = [];
  const hosts: number[] = [];
  // First what the set of each host contains, then its group: arrays of this size are dear to collect.
  const groupOf = asked.heldOf.numbersOf(setIds);
  // By what the set contains, and by class: the index of the group without a kernel in question, plus one.
  const ordinary: Int32Array[] = [];
  const withKernel = new Map<string, number>();
  for (const position of fleet.positions()) {
    const heldId = groupOf[position] ?? 0;
    const classId = classOf[position] ?? 0;
    const kernelId = (kernelIds[position] ?? 0) as PackageVersionId; // 0 is never an id.
    let number = 0;
    if (asksKernels && asked.kernelIds.has(kernelId)) {
      const key = `${heldId} ${classId} ${kernelId}`;
      number = withKernel.get(key) ?? keys.push({ heldId, classId, kernelId });
      withKernel.set(key, number);
    } else {
      let numbers = ordinary[heldId];
      if (numbers === undefined) {
        numbers = new Int32Array(classes.length);
        ordinary[heldId] = numbers;
      }
      number = numbers[classId] ?? 0;
      if (number === 0) {
        number = keys.push({ heldId, classId, kernelId: 0 });
        numbers[classId] = number;
      }
    }
    groupOf[position] = number - 1;
    hosts[number - 1] = (hosts[number - 1] ?? 0) + 1;
  }
  const groups = keys.map(({ heldId, classId, kernelId }, index) => ({
    ...(classes[classId] ?? noClass),
    heldId,
    kernelId,
    hosts: hosts[index] ?? 0,
  }));
  return { groups, groupOf };
}

/** What the hosts of a group have in common. */
interface GroupKey {
  readonly heldId: number;
  readonly classId: number;
  readonly kernelId: number;
}

/** What hosts have in common besides packages and kernels in question. */
type HostClass = Pick<HostGroup, 'releaseId' | 'gapBits' | 'feedUpdatedAt' | 'runsUnknownKernel'>;

/** The hosts of a fleet by class. */
interface HostClasses {
  readonly all: readonly HostClass[];
  /** By position of an approved host: an index into `all`. */
  readonly classOf: Int32Array;
}

const noClass: HostClass = { releaseId: 0, gapBits: 0, feedUpdatedAt: null, runsUnknownKernel: false };

const knownClasses = new WeakMap<HostsAtSets, HostClasses>();

/** The classes of a copy of the fleet, which several questions share. */
function classesOf(fleet: HostsAtSets): HostClasses {
  const known = knownClasses.get(fleet) ?? classify(fleet);
  knownClasses.set(fleet, known);
  return known;
}

function classify(fleet: HostsAtSets): HostClasses {
  const { releaseIds, gaps, runsUnknownKernel, releases } = fleet;
  const all: HostClass[] = [];
  const classOf = new Int32Array(releaseIds.length);
  const known: Map<number, number>[] = [];
  for (const position of fleet.positions()) {
    const releaseId = releaseIds[position] ?? 0;
    const gapBits = (gaps[position] ?? 0) & silenceBits;
    const unknown = runsUnknownKernel[position] ?? 0;
    const ofRelease = known[releaseId] ?? new Map<number, number>();
    if (ofRelease.size === 0) known[releaseId] = ofRelease;
    let classId = ofRelease.get(gapBits * 2 + unknown);
    if (classId === undefined) {
      const updatedAt = releases.get(releaseId)?.feedUpdatedAt ?? null;
      const feedUpdatedAt = updatedAt === null ? null : new Date(updatedAt);
      classId = all.push({ releaseId, gapBits, feedUpdatedAt, runsUnknownKernel: unknown === 1 }) - 1;
      ofRelease.set(gapBits * 2 + unknown, classId);
    }
    classOf[position] = classId;
  }
  return { all, classOf };
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
