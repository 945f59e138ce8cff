import { containerKinds, gapOfSilence } from '@plimsoll/advisories';
import {
  bitsOfGaps,
  type CveState,
  type CveStateReason,
  type Gap,
  gapsOfBits,
  type HostId,
  type PackageVersionId,
  silenceGaps,
} from '@plimsoll/model';
import type pg from 'pg';
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
  /** The number of the package versions in question that its set contains, as in Grouping; 0 if it contains none. */
  readonly heldId: number;
  /** A judged kernel in question; 0 for all other kernels. */
  readonly kernelId: number;
  /** Whether the running kernel has no verdict; false for containers, which run no kernel of their own. */
  readonly runsUnknownKernel: boolean;
  readonly hosts: number;
}

/** The key of a group, as columns of `groupedHosts`. */
const groupColumns = ['release_id', 'gap_bits', 'held_id', 'kernel_id', 'runs_unknown_kernel'] as const;

/**
 * Approved hosts with their group: a subquery with the parameters $1 sets, $2 kernels, $3 kinds of containers, $4 the
 * number of what each set contains. All other sets contain no version in question and share the number 0.
 */
const groupedHosts = `SELECT o.id, o.display_name, coalesce(o.release_id, 0) AS release_id, o.gaps & ${silenceBits} AS gap_bits,
    o.feed_updated_at, coalesce(s.held_id, 0) AS held_id, coalesce(k.id, 0) AS kernel_id,
    hs.snapshot_id IS NOT NULL AND hs.judged_kernel_id IS NULL AND NOT EXISTS (
      SELECT FROM snapshots p WHERE p.id = hs.snapshot_id
        AND lower(p.facts #>> '{platform,virtualization}') = ANY($3::text[])) AS runs_unknown_kernel
  FROM host_overview o JOIN host_state hs ON hs.host_id = o.id
  LEFT JOIN unnest($1::int[], $4::int[]) AS s (id, held_id) ON s.id = hs.set_id
  LEFT JOIN unnest($2::int[]) AS k (id) ON k.id = hs.judged_kernel_id
  WHERE o.approval_status = 'approved'`;

/**
 * The sets and kernels in question, by which hosts are grouped. Many sets contain the same versions in question: these
 * have one number, so that there are few groups.
 */
export interface Grouping {
  readonly setIds: readonly number[];
  /** By index of `setIds`, from 1. */
  readonly heldIds: readonly number[];
  readonly kernelIds: readonly PackageVersionId[];
}

/** All approved hosts, counted by group. */
export async function countGroups(client: pg.PoolClient, grouping: Grouping): Promise<readonly HostGroup[]> {
  const { rows } = await client.query<HostGroup>(
    `SELECT release_id AS "releaseId", gap_bits AS "gapBits", max(feed_updated_at) AS "feedUpdatedAt",
            held_id AS "heldId", kernel_id AS "kernelId", runs_unknown_kernel AS "runsUnknownKernel", count(*)::int AS hosts
     FROM (${groupedHosts}) h GROUP BY ${groupColumns.join(', ')}`,
    [grouping.setIds, grouping.kernelIds, [...containerKinds], grouping.heldIds],
  );
  return rows;
}

/** A host with its group. */
export interface GroupedHost {
  readonly id: HostId;
  readonly group: number;
}

/** A page of the hosts of the given groups, by display name; `group` is an index into `groups`. */
export async function pageOfGroups(
  client: pg.PoolClient,
  grouping: Grouping,
  page: {
    readonly groups: readonly HostGroup[];
    readonly limit: number;
    readonly after: { readonly displayName: string; readonly id: string } | null;
  },
): Promise<readonly GroupedHost[]> {
  const { groups, limit, after } = page;
  const { rows } = await client.query<GroupedHost>(
    `SELECT h.id, (g.n - 1)::int AS "group" FROM (${groupedHosts}) h
     JOIN unnest($5::int[], $6::int[], $7::int[], $8::int[], $9::bool[]) WITH ORDINALITY
       AS g (${groupColumns.join(', ')}, n) USING (${groupColumns.join(', ')})
     WHERE $10::text IS NULL OR (h.display_name, h.id) > ($10, $11::uuid)
     ORDER BY h.display_name, h.id LIMIT $12`,
    [
      grouping.setIds,
      grouping.kernelIds,
      [...containerKinds],
      grouping.heldIds,
      groups.map(({ releaseId }) => releaseId),
      groups.map(({ gapBits }) => gapBits),
      groups.map(({ heldId }) => heldId),
      groups.map(({ kernelId }) => kernelId),
      groups.map(({ runsUnknownKernel }) => runsUnknownKernel),
      after?.displayName ?? null,
      after?.id ?? null,
      limit,
    ],
  );
  return rows;
}

/** The state of hosts under a CVE, with its reason. */
export interface StatedGroup {
  readonly state: CveState;
  readonly reason: CveStateReason | null;
}

/**
 * The state of a group's hosts under a CVE. Statements about installed packages decide first: affected before unchecked
 * before fixed. Without any, the host is not affected unless a gap prevents that answer.
 * @param held by number, as in Grouping: the package versions in question.
 */
export function stateOfGroup(
  group: HostGroup,
  knowledge: CveKnowledge,
  held: ReadonlyMap<number, readonly PackageVersionId[]>,
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
  held: ReadonlyMap<number, readonly PackageVersionId[]>,
) {
  const kernel = versions.get(kernelId as PackageVersionId); // 0 is never an id.
  const ordinary = (held.get(heldId) ?? []).flatMap((id) => versions.get(id) ?? []);
  return [...ordinary.filter(({ isKernel }) => !isKernel), ...(kernel === undefined ? [] : [kernel])];
}
