import { gapOfSilence } from '@plimsoll/advisories';
import {
  bitsOfGaps,
  type CveState,
  type CveStateReason,
  type Gap,
  gapsOfBits,
  type HostScope,
  type PackageVersionId,
  silenceGaps,
} from '@plimsoll/model';
import type pg from 'pg';
import { findSets, type SetsBehind } from '../../ingest/set-postings.ts';
import type { CveKnowledge } from '../../knowledge/cve-knowledge.ts';
import { groupHosts, type HostGroup, type PagedQuestion } from './hosts-at-sets.ts';

/** No id of a package version. */
const noKernel = 0 as PackageVersionId;
/** Gaps that change what silence means, as bits; see gapOfSilence of @plimsoll/advisories. */
const silenceBits = bitsOfGaps(['no_report', ...silenceGaps]);

/** A group of hosts that are equal in everything that determines their state under a CVE, and that state. */
export type StatedHosts = HostGroup & StatedGroup;

/** The hosts of a scope under a CVE. */
export interface HostsUnderCve {
  readonly question: PagedQuestion;
  readonly groups: readonly StatedHosts[];
  /** By number of a group: the package versions in question that its sets contain. */
  readonly held: readonly (readonly PackageVersionId[])[];
}

/** Groups the approved hosts by their state under a CVE. Call `judgeDue` before. */
export async function groupByState(
  client: pg.PoolClient,
  scope: HostScope,
  knowledge: CveKnowledge,
): Promise<HostsUnderCve> {
  const { kernelIds, numbers, held } = await findAsked(client, knowledge);
  const byUnknownKernel = knowledge.isAboutKernels;
  const question = { scope, numbers, kernelIds, byUnknownKernel, ...silence };
  const groups = await groupHosts(client, question);
  return {
    question,
    held,
    groups: groups.map((group) => ({ ...group, ...stateOfGroup(group, knowledge, held) })),
  };
}

/** Groups the approved hosts for the questions about many CVEs; `groupsUnder` answers each. Call `judgeDue` before. */
export function groupBySet(
  client: pg.PoolClient,
  scope: HostScope,
  all: Iterable<CveKnowledge>,
): Promise<readonly HostGroup[]> {
  const byUnknownKernel = [...all].some(({ isAboutKernels }) => isAboutKernels);
  return groupHosts(client, { scope, numbers: 'ids', kernelIds: 'all', byUnknownKernel, ...silence });
}

/** What `groupByState` returns, from groups by set. @param behind as `findSets` takes them */
export async function groupsUnder(
  client: pg.PoolClient,
  behind: SetsBehind,
  { groups, knowledge }: { readonly groups: readonly HostGroup[]; readonly knowledge: CveKnowledge },
): Promise<readonly StatedHosts[]> {
  const { kernelIds, numbers, held } = await findAsked(client, knowledge, behind);
  const alike = new Map<string, StatedHosts>();
  for (const group of groups) {
    const number = numbers.get(group.number) ?? 0;
    const kernelId = kernelIds.has(group.kernelId) ? group.kernelId : noKernel;
    const key = `${number} ${kernelId} ${group.releaseId} ${group.gapBits} ${group.runsUnknownKernel}`;
    const same = alike.get(key);
    const asked = { ...group, number, kernelId };
    const stated = same ?? { ...asked, hosts: 0, ...stateOfGroup(asked, knowledge, held) };
    alike.set(key, { ...stated, hosts: stated.hosts + group.hosts });
  }
  return [...alike.values()];
}

/** What a question about hosts under a CVE does not vary in. */
const silence = { gapBits: silenceBits, byRelease: true } as const;

async function findAsked(client: pg.PoolClient, { versions }: CveKnowledge, behind?: SetsBehind) {
  const asked = [...versions.values()];
  const idsOf = (wanted: boolean) =>
    asked.filter(({ isKernel }) => isKernel === wanted).map(({ version }) => version.id);
  const { heldOf, held } = await findSets(client, idsOf(false), behind === undefined ? {} : { behind });
  return { kernelIds: new Set(idsOf(true)), numbers: heldOf, held };
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
  group: Omit<HostGroup, 'hosts' | 'release' | 'feedId' | 'isUnreported'>,
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
  { number, kernelId }: Pick<HostGroup, 'number' | 'kernelId'>,
  { versions }: CveKnowledge,
  held: readonly (readonly PackageVersionId[])[],
) {
  const kernel = versions.get(kernelId); // 0 is never an id.
  const ordinary = (held[number] ?? []).flatMap((id) => versions.get(id) ?? []);
  return [...ordinary.filter(({ isKernel }) => !isKernel), ...(kernel === undefined ? [] : [kernel])];
}
