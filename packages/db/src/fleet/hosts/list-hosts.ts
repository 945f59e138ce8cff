import { type HostId, type HostScope, hostStatuses, overallActions, tagsOfScope } from '@plimsoll/model';
import type { Database } from '../../core/database.ts';
import { type HostTable, hostSelection, seenConflictSql } from './host-selection.ts';
import {
  type HostSortColumn,
  type ListedOverview,
  listed,
  listedColumns,
  overviewJoins,
} from './overview.ts';
import { type HostCursor, type HostFilters, type HostPageQuery, type HostSort, never } from './query.ts';
import { reportedAtSql } from './reported-at.ts';

/** A sort key in SQL. */
interface SortKey {
  readonly sql: string;
  readonly type: 'text' | 'timestamptz' | 'int';
  /** The tables that it reads; absent: only `host_state s`. */
  readonly reads?: readonly HostTable[];
}

const orNever = (time: string) => `coalesce(${time}, '${never.toISOString()}'::timestamptz)`;
const placeIn = (words: readonly string[], column: string): SortKey => ({
  sql: `array_position('{${words.join(',')}}'::text[], ${column}) - 1`,
  type: 'int',
});

/** Texts are ordered by their code points, words of lists by urgency; the columns that are missing are counts. */
const sortKeys: Partial<Record<HostSortColumn, SortKey>> = {
  displayName: { sql: 'h.display_name COLLATE "C"', type: 'text', reads: ['h'] },
  hostname: { sql: 'h.hostname COLLATE "C"', type: 'text', reads: ['h'] },
  osName: { sql: 's.os_name COLLATE "C"', type: 'text' },
  createdAt: { sql: 'h.created_at', type: 'timestamptz', reads: ['h'] },
  lastSeenAt: { sql: 'c.last_seen_at', type: 'timestamptz', reads: ['c'] },
  reportedAt: { sql: orNever(reportedAtSql('s', 'c')), type: 'timestamptz', reads: ['c'] },
  dueAt: { sql: orNever('s.due_at'), type: 'timestamptz' },
  overallAction: placeIn(overallActions, 's.overall_action'),
  status: placeIn(hostStatuses, 's.status'),
};

function keyOf(column: HostSortColumn): SortKey {
  return sortKeys[column] ?? { sql: listed[column], type: 'int' };
}

/** The value of a cursor as a parameter; one that its order cannot have is before all. */
function placeOf({ value }: HostCursor, type: SortKey['type']): unknown {
  if (type === 'text') return String(value).replaceAll('\0', '');
  const number = typeof value === 'string' && type === 'timestamptz' ? Date.parse(value) : Number(value);
  if (type === 'timestamptz') return new Date(Math.abs(number) <= farthestMs ? number : 0);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : -1;
}

/** The year 9999: PostgreSQL does not read all times of JavaScript. */
const farthestMs = Date.parse('9999-01-01T00:00:00Z');

/** A page of hosts in an order, and the number of all that match. */
export async function listHosts(
  { pool }: Pick<Database, 'pool'>,
  { scope, filters, sort, limit, after, offset = 0 }: HostPageQuery,
): Promise<{ readonly total: number; readonly hosts: readonly ListedOverview[] }> {
  const { matching, values, direction, type } = matchingHosts(scope, filters, sort);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const behind =
    after === null
      ? ''
      : `WHERE (k, id) ${sort.descending ? '<' : '>'} (${parameter(placeOf(after, type))}::${type}, ${parameter(after.id)}::uuid)`;
  const { rows } = await pool.query<ListedOverview & { readonly total: number; readonly k: unknown }>(
    // One pass for the page and the total.
    `WITH matching AS MATERIALIZED (${matching}), page AS (
       SELECT * FROM matching ${behind} ORDER BY k ${direction}, id ${direction}
       LIMIT ${parameter(limit)} OFFSET ${parameter(offset)})
     SELECT counted.total, page.k, shown.* FROM (SELECT count(*)::int AS total FROM matching) counted
     LEFT JOIN (page JOIN LATERAL (
       SELECT ${columnsFor(parameter(tagsOfScope(scope)))} FROM hosts h ${overviewJoins} WHERE h.id = page.id) shown ON true) ON true
     ORDER BY page.k ${direction}, page.id ${direction}`,
    values,
  );
  const total = rows[0]?.total ?? 0;
  // Without a host on the page there is one row for the total.
  const shown = rows.filter(({ id }) => id !== null);
  return { total, hosts: shown.map(({ total: _total, k: _k, ...host }) => host) };
}

/** The ids of all hosts that match, in an order, and the bits of all their gaps. */
export async function orderedIds(
  { pool }: Pick<Database, 'pool'>,
  { scope, filters, sort }: Pick<HostPageQuery, 'scope' | 'filters' | 'sort'>,
): Promise<{ readonly ids: readonly string[]; readonly gaps: number }> {
  const { matching, values, direction } = matchingHosts(scope, filters, sort, ', s.gaps');
  const { rows } = await pool.query<{ id: string; gaps: number }>(
    `SELECT id, gaps FROM (${matching}) matching ORDER BY k ${direction}, id ${direction}`,
    values,
  );
  return { ids: rows.map(({ id }) => id), gaps: rows.reduce((bits, { gaps }) => bits | gaps, 0) };
}

/** The ids of at most `most` hosts that match, by display name, and the number of all that match. */
export async function selectIds(
  { pool }: Pick<Database, 'pool'>,
  {
    scope,
    filters,
    most,
  }: { readonly scope: HostScope; readonly filters: HostFilters; readonly most: number },
): Promise<{ readonly total: number; readonly ids: readonly HostId[] }> {
  const sort = { column: 'displayName', descending: false } as const;
  const { matching, values } = matchingHosts(scope, filters, sort);
  const { rows } = await pool.query<{ total: number; ids: readonly HostId[] }>(
    `WITH matching AS MATERIALIZED (${matching})
     SELECT (SELECT count(*)::int FROM matching) AS total,
       ARRAY(SELECT id FROM matching ORDER BY k, id LIMIT $${values.push(Number.isFinite(most) ? most : null)}) AS ids`,
    values,
  );
  return rows[0] ?? { total: 0, ids: [] };
}

/** Hosts by their ids, in this order; without those that were deleted. */
export async function hostsById(
  { pool }: Pick<Database, 'pool'>,
  scope: HostScope,
  ids: readonly string[],
): Promise<readonly ListedOverview[]> {
  const { rows } = await pool.query<ListedOverview>(
    `SELECT ${columnsFor('$1')} FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, n)
     JOIN hosts h ON h.id = wanted.id ${overviewJoins} ORDER BY wanted.n`,
    [tagsOfScope(scope), ids],
  );
  return rows;
}

function columnsFor(tags: string): string {
  return `${listedColumns}, ${seenConflictSql(tags)} AS "machineIdConflictWith"`;
}

/** @param more columns of `host_state s` beside the id and the key */
function matchingHosts(scope: HostScope, filters: HostFilters, { column, descending }: HostSort, more = '') {
  const { sql, type, reads = [] } = keyOf(column);
  const { from, where, values } = hostSelection(scope, filters, reads);
  const matching = `SELECT s.host_id AS id, ${sql} AS k${more} FROM ${from} WHERE ${where}`;
  return { matching, values, direction: descending ? 'DESC' : 'ASC', type };
}
