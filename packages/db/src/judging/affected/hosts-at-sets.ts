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

/** What decides on the group of a host; the first four are numbers. */
const keys = ['number', 'kernelId', 'releaseId', 'gapBits', 'runsUnknownKernel', 'isUnreported'] as const;
const keyColumns = keys.map((key) => `"${key}"`).join(', ');

const containers = [...containerKinds].map((kind) => `'${kind}'`).join(', ');

/** SQL: whether the running kernel of a `host_state s` has no verdict. Facts can be large: they are read for few hosts only. */
const runsUnknownKernelSql = `(s.snapshot_id IS NOT NULL AND s.judged_kernel_id IS NULL AND coalesce(
  (SELECT lower(p.facts #>> '{platform,virtualization}') NOT IN (${containers}) FROM snapshots p WHERE p.id = s.snapshot_id), true))`;

/**
 * Groups the approved hosts of a scope. `gapBits` are as judged: call `judgeDue` before if they are asked for. Planned at each call, as is
 * `hostsInGroups`: a plan for arrays of any length loops over them for each host.
 */
export async function groupHosts(
  client: pg.PoolClient,
  question: HostQuestion,
): Promise<readonly HostGroup[]> {
  const { hosts, values } = hostsWithKeys(question);
  const { rows } = await client.query<HostGroup>({
    text: `SELECT ${keyColumns}, r.name AS release, f.id AS "feedId", ${feedUpdatedAtSql} AS "feedUpdatedAt", s.hosts
     FROM (SELECT ${keyColumns}, nullif("releaseId", 0) AS release_id, count(*)::int AS hosts FROM (${hosts}) h
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
  question: HostQuestion,
  groups: readonly Group[],
  {
    limit = null,
    after = null,
  }: { readonly limit?: number | null; readonly after?: ListedHostCursor | null } = {},
): Promise<readonly GroupedHost<Group>[]> {
  if (groups.length === 0) return [];
  const { hosts, values } = hostsWithKeys(question);
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const wanted = keys.map((key, n) =>
    parameter(
      groups.map((group) => group[key]),
      n < 4 ? 'int[]' : 'bool[]',
    ),
  );
  const place =
    after === null
      ? ''
      : `WHERE (h.display_name COLLATE "C", h.id) > (${parameter(after.displayName, 'text')}, ${parameter(after.id, 'uuid')})`;
  const { rows } = await client.query<{ id: HostId; n: number }>({
    // Apart, because PostgreSQL would join the groups to hosts before it knows the numbers of their sets.
    text: `WITH h AS MATERIALIZED (${hosts}) SELECT h.id, wanted.n::int AS n FROM h
     JOIN unnest(${wanted.join(', ')}) WITH ORDINALITY AS wanted (${keyColumns}, n) USING (${keyColumns})
     ${place} ORDER BY h.display_name COLLATE "C", h.id LIMIT ${parameter(limit, 'int')}`,
    values,
  });
  return rows.flatMap(({ id, n }) => {
    const group = groups[n - 1];
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

/** SQL: the approved hosts of a scope with what decides on their groups. */
function hostsWithKeys({ scope, numbers, kernelIds, gapBits = 0, byRelease, byUnknownKernel }: HostQuestion) {
  const { from, where, values } = hostSelection(scope, { approvalStatus: 'approved' });
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const sets = numbers === 'ids' ? [] : [...(numbers ?? [])];
  const asked =
    sets.length === 0
      ? ''
      : `LEFT JOIN unnest(${parameter(sets.map(([id]) => id))}::int[], ${parameter(sets.map(([, number]) => number))}::int[])
           AS asked (set_id, number) ON asked.set_id = s.set_id`;
  const kernels = kernelIds === 'all' ? [] : [...(kernelIds ?? [])];
  const numberSql = sets.length === 0 ? '0' : 'coalesce(asked.number, 0)';
  const kernelSql =
    kernels.length === 0
      ? '0'
      : `CASE WHEN s.judged_kernel_id = ANY(${parameter(kernels)}::int[]) THEN s.judged_kernel_id ELSE 0 END`;
  const columns: Record<(typeof keys)[number], string> = {
    number: numbers === 'ids' ? 'coalesce(s.set_id, 0)' : numberSql,
    kernelId: kernelIds === 'all' ? 'coalesce(s.judged_kernel_id, 0)' : kernelSql,
    releaseId: byRelease === true ? 'coalesce(s.release_id, 0)' : '0',
    gapBits: `s.gaps & ${gapBits}`,
    runsUnknownKernel: byUnknownKernel === true ? runsUnknownKernelSql : 'false',
    isUnreported: 's.set_id IS NULL',
  };
  const selected = keys.map((key) => `${columns[key]} AS "${key}"`).join(', ');
  return { values, hosts: `SELECT h.id, h.display_name, ${selected} FROM ${from} ${asked} WHERE ${where}` };
}
