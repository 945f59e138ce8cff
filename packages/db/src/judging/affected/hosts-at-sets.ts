import { containerKinds } from '@plimsoll/advisories';
import type { HostId, HostScope, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { hostSelection } from '../../fleet/hosts/host-selection.ts';
import { feedUpdatedAtSql, releaseJoins } from '../../fleet/hosts/judgement.ts';
import type { SetNumbers } from '../../ingest/set-numbers.ts';

/** A host in a list of hosts. */
export interface ListedHost {
  readonly id: HostId;
  readonly displayName: string;
  readonly hostname: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly tags: readonly string[];
}

/** The last host of a page; the next page starts after it. */
export interface ListedHostCursor {
  readonly displayName: string;
  readonly id: string;
}

/** By what hosts are grouped. */
export interface HostQuestion {
  readonly scope: HostScope;
  /** A number above 0 for each package set in question, of other sets 0; or the ids of the sets themselves. */
  readonly numbers?: SetNumbers | 'ids';
  /** The judged kernels in question. */
  readonly kernelIds?: ReadonlySet<PackageVersionId> | 'all';
  /** The gaps in question, as bits. */
  readonly gapBits?: number;
  readonly byRelease?: true;
  /** Whether it matters that a running kernel has no verdict. */
  readonly byUnknownKernel?: boolean;
}

/** One whose hosts can be listed. */
export type PagedQuestion = Omit<HostQuestion, 'numbers'> & { readonly numbers?: SetNumbers };

/** Approved hosts that are equal in all that was asked; what was not asked is 0, false or null. */
export interface HostGroup {
  /** The number of the host's package set. */
  readonly number: number;
  /** 0: the judged kernel is not in question. */
  readonly kernelId: PackageVersionId;
  /** 0 if the release is unknown. */
  readonly releaseId: number;
  readonly release: Release | null;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  readonly gapBits: number;
  /** False for containers, which run no kernel of their own. */
  readonly runsUnknownKernel: boolean;
  /** Whether no packages are reported. */
  readonly isUnreported: boolean;
  readonly hosts: number;
}

/** A host and its group. */
export interface GroupedHost<Group> {
  readonly id: HostId;
  readonly group: Group;
}

/** What decides on the group of a host beside the number of its set; the first three are numbers. */
const others = ['kernelId', 'releaseId', 'gapBits', 'runsUnknownKernel', 'isUnreported'] as const;
const keyColumns = ['number', ...others].map((key) => `"${key}"`).join(', ');

const containers = [...containerKinds].map((kind) => `'${kind}'`).join(', ');

/** SQL: whether the running kernel of a `host_state s` has no verdict. Facts can be large: they are read for few hosts only. */
const runsUnknownKernelSql = `(s.snapshot_id IS NOT NULL AND s.judged_kernel_id IS NULL AND coalesce(
  (SELECT lower(p.facts #>> '{platform,virtualization}') NOT IN (${containers}) FROM snapshots p WHERE p.id = s.snapshot_id), true))`;

/**
 * Groups the approved hosts of a scope, as they are judged: call `judgeDue` before. Planned at each call, as is `hostsInGroups`: a plan
 * for arrays of any length loops over them for each host.
 */
export async function groupHosts(
  client: pg.PoolClient,
  question: HostQuestion,
): Promise<readonly HostGroup[]> {
  const { from, where, values, parameter, selected } = hostsAsked(question, []);
  const { numbers } = question;
  const sets = numbered(numbers, parameter);
  const number =
    numbers === 'ids' ? 'coalesce(s.set_id, 0)' : sets === null ? '0' : 'coalesce(asked.number, 0)';
  const { rows } = await client.query<HostGroup>({
    text: `SELECT ${keyColumns}, r.name AS release, f.id AS "feedId", ${feedUpdatedAtSql} AS "feedUpdatedAt", s.hosts
     FROM (SELECT ${keyColumns}, nullif("releaseId", 0) AS release_id, count(*)::int AS hosts FROM (
             SELECT ${number} AS number, ${selected} FROM ${from} ${sets === null ? '' : `LEFT JOIN ${sets} ON asked.set_id = s.set_id`}
             WHERE ${where}) h
           GROUP BY ${keyColumns}) s ${releaseJoins}`,
    values,
  });
  return rows;
}

/** The number of hosts of groups. */
export function hostsOf(groups: readonly Pick<HostGroup, 'hosts'>[]): number {
  return groups.reduce((sum, { hosts }) => sum + hosts, 0);
}

/**
 * The hosts of some groups by display name.
 * @param groups as `groupHosts` returned them for the question, in the same transaction
 */
export async function hostsInGroups<Group extends HostGroup>(
  client: pg.PoolClient,
  question: PagedQuestion,
  groups: readonly Group[],
  {
    limit = null,
    after = null,
  }: { readonly limit?: number | null; readonly after?: ListedHostCursor | null } = {},
): Promise<readonly GroupedHost<Group>[]> {
  if (groups.length === 0) return [];
  const { from, where, values, parameter, selected, columns } = hostsAsked(question, ['h']);
  const wanted = others.map(
    (key, n) => `${parameter(groups.map((group) => group[key]))}::${n < 3 ? 'int[]' : 'bool[]'}`,
  );
  const own = others.map((key) => columns[key]).join(', ');
  const shown = others.map((key) => `wanted."${key}"`).join(', ');
  const of = `unnest(${parameter(groups.map(({ number }) => number))}::int[], ${wanted.join(', ')}) AS wanted (${keyColumns})`;
  const sets = numbered(question.numbers, parameter);
  const isNumbered =
    sets === null ? 'false' : `(s.set_id IS NOT NULL AND s.set_id IN (SELECT set_id FROM ${sets}))`;
  const isOfSet =
    sets === null
      ? 'false'
      : `(s.set_id, ${own}) IN (SELECT asked.set_id, ${shown} FROM ${sets} JOIN ${of} USING (number))`;
  const { rows } = await client.query<
    Record<(typeof others)[number], unknown> & { readonly id: HostId; readonly setId: number | null }
  >({
    // Compared in hashes, so that hosts can be read in their order until the page is full.
    text: `SELECT h.id, s.set_id AS "setId", ${selected} FROM ${from} WHERE ${where}
       AND CASE WHEN ${isNumbered} THEN ${isOfSet} ELSE (${own}) IN (SELECT ${shown} FROM ${of} WHERE number = 0) END
       ${after === null ? '' : `AND (h.display_name COLLATE "C", h.id) > (${parameter(after.displayName)}::text, ${parameter(after.id)}::uuid)`}
     ORDER BY h.display_name COLLATE "C", h.id LIMIT ${parameter(limit)}::int`,
    values,
  });
  const keyOf = (number: number, group: Readonly<Record<(typeof others)[number], unknown>>) =>
    [number, ...others.map((key) => group[key])].join(' ');
  const byKey = new Map(groups.map((group) => [keyOf(group.number, group), group]));
  return rows.flatMap(({ id, setId, ...row }) => {
    const group = byKey.get(keyOf(question.numbers?.get(setId ?? 0) ?? 0, row));
    return group === undefined ? [] : [{ id, group }];
  });
}

/** What lists show of hosts, in their order; of hosts that were deleted since, nothing. */
export async function showHosts<Group>(
  client: pg.PoolClient,
  hosts: readonly GroupedHost<Group>[],
): Promise<readonly { readonly listed: ListedHost; readonly group: Group }[]> {
  const { rows } = await client.query<ListedHost>(
    `SELECT h.id, h.display_name AS "displayName", h.hostname, s.os_name AS "osName", s.os_version AS "osVersion", h.tags
     FROM hosts h JOIN host_state s ON s.host_id = h.id WHERE h.id = ANY($1::uuid[])`,
    [hosts.map(({ id }) => id)],
  );
  const found = new Map(rows.map((listed) => [listed.id, listed]));
  return hosts.flatMap(({ id, group }) => {
    const listed = found.get(id);
    return listed === undefined ? [] : [{ listed, group }];
  });
}

/** SQL: the numbers of sets as `asked (set_id, number)`; null: there are none. */
function numbered(numbers: HostQuestion['numbers'], parameter: (value: unknown) => string): string | null {
  if (numbers === undefined || numbers === 'ids') return null;
  const pairs = [...numbers];
  if (pairs.length === 0) return null;
  return `unnest(${parameter(pairs.map(([id]) => id))}::int[], ${parameter(pairs.map(([, number]) => number))}::int[]) AS asked (set_id, number)`;
}

/** SQL: the approved hosts of a scope with what decides on their groups beside the number. */
function hostsAsked(
  { scope, kernelIds, gapBits = 0, byRelease, byUnknownKernel }: HostQuestion,
  reads: Parameters<typeof hostSelection>[2],
) {
  const { from, where, values } = hostSelection(scope, { approvalStatus: 'approved' }, reads);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const kernels = kernelIds === 'all' ? [] : [...(kernelIds ?? [])];
  const kernelSql =
    kernels.length === 0
      ? '0'
      : `CASE WHEN s.judged_kernel_id = ANY(${parameter(kernels)}::int[]) THEN s.judged_kernel_id ELSE 0 END`;
  const columns: Record<(typeof others)[number], string> = {
    kernelId: kernelIds === 'all' ? 'coalesce(s.judged_kernel_id, 0)' : kernelSql,
    releaseId: byRelease === true ? 'coalesce(s.release_id, 0)' : '0',
    gapBits: `s.gaps & ${gapBits}`,
    runsUnknownKernel: byUnknownKernel === true ? runsUnknownKernelSql : 'false',
    isUnreported: 's.set_id IS NULL',
  };
  const selected = others.map((key) => `${columns[key]} AS "${key}"`).join(', ');
  return { from, where, values, parameter, columns, selected };
}
