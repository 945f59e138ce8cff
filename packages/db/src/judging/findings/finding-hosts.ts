import { type DuePolicy, dependsOnFirstReport } from '@plimsoll/advisories';
import { bitsOfGaps, findingGaps } from '@plimsoll/model';
import type pg from 'pg';
import { hostSelection, searchedSql } from '../../fleet/hosts/host-selection.ts';
import type { FindingCoverage, FindingQuery } from './finding-query.ts';
import type { DueProfile } from './statement-due.ts';

/** Hosts of a selection that rows count alike. */
export interface AlikeHosts extends DueProfile {
  /** Their finding list. */
  readonly list: number;
  /** In milliseconds since 1970, of the host that is known for the longest time. */
  readonly firstSnapshotAt: number;
  readonly hosts: number;
  /** If rows are about hosts, the only one; otherwise empty. */
  readonly id: string;
  readonly name: string;
  /** Whether its names contain the searched text. */
  readonly isNamed: boolean;
}

type Row = Omit<AlikeHosts, 'list' | keyof typeof unasked> & {
  /** Null: the host was not counted yet, or has no report. */
  readonly list: number | null;
  readonly gaps: number;
  readonly unknownHosts: number;
  readonly uncountedHosts: number;
} & Partial<Pick<AlikeHosts, keyof typeof unasked>>;

const limiting = bitsOfGaps(findingGaps);
const isUncounted = 's.finding_list_id IS NULL AND s.snapshot_id IS NOT NULL';

/** The approved hosts that a question is about. Call `judgeDue` before. @param policy of due dates */
export async function findAlikeHosts(
  client: pg.PoolClient,
  { scope, filters, groupBy }: Pick<FindingQuery, 'scope' | 'filters' | 'groupBy'>,
  policy: DuePolicy,
): Promise<{ readonly alike: readonly AlikeHosts[]; readonly coverage: FindingCoverage }> {
  const { among, tag, host, q } = filters;
  const hasRules = policy.rules.length > 0;
  const filter = {
    approvalStatus: 'approved' as const,
    ...(tag !== undefined && { tag }),
    ...(host !== undefined && { ids: [host] }),
    ...(among !== undefined && { and: among, retired: among.retired === true }),
  };
  const { from, where, values } = hostSelection(scope, filter, hasRules || groupBy === 'host' ? ['h'] : []);
  const keys = ['s.finding_list_id AS list'];
  if (hasRules) keys.push('h.exposure', 'h.tags');
  if (dependsOnFirstReport(policy)) keys.push(`date_trunc('day', s.first_snapshot_at, 'UTC')`);
  if (groupBy === 'host') {
    const isNamed =
      q === undefined || q.includes('\0')
        ? 'false'
        : `strpos(${searchedSql}, $${values.push(q.toLowerCase())}) > 0`;
    keys.push('h.id', 'h.display_name AS name', `${isNamed} AS "isNamed"`);
  }
  const { rows } = await client.query<Row>(
    `SELECT ${keys.join(', ')}, count(*)::int AS hosts,
       min(coalesce(round(date_part('epoch', s.first_snapshot_at) * 1000), 0))::float8 AS "firstSnapshotAt",
       bit_or(s.gaps & ${limiting}) AS gaps, count(*) FILTER (WHERE ${isUncounted})::int AS "uncountedHosts",
       count(*) FILTER (WHERE ${isUncounted} OR s.gaps & ${limiting} <> 0)::int AS "unknownHosts"
     FROM ${from} WHERE ${where} GROUP BY ${keys.map((_, n) => n + 1).join(', ')}`,
    values,
  );
  const coverage = { hosts: 0, unknownHosts: 0, uncountedHosts: 0, gaps: 0 };
  for (const { hosts, unknownHosts, uncountedHosts, gaps } of rows) {
    coverage.hosts += hosts;
    coverage.unknownHosts += unknownHosts;
    coverage.uncountedHosts += uncountedHosts;
    coverage.gaps |= gaps;
  }
  return {
    alike: rows.flatMap(({ list, ...own }) => (list === null ? [] : [{ ...unasked, ...own, list }])),
    coverage,
  };
}

/** What a question did not ask for. */
const unasked = { exposure: 'unknown', tags: [], id: '', name: '', isNamed: false } as const;
