import { setImmediate as nextTurn } from 'node:timers/promises';
import { containerKinds } from '@plimsoll/advisories';
import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import { feedUpdatedAtSql, releaseJoins } from '../judging/judgement.ts';
import type { FlagColumn, NumberColumn, TextColumn, TimeColumn, WordColumn } from './column-names.ts';
import type { HostColumns, ReleaseOfHosts } from './host-columns.ts';

/** A value of a row as PostgreSQL sends it, so that no value is parsed twice. */
type Value = string | null;
/** A selected expression and where its value is stored. */
type Field = readonly [sql: string, store: (columns: HostColumns, position: number, value: Value) => void];

const number = (column: NumberColumn, sql: string): Field => [
  sql,
  (columns, position, value) => columns.setNumber(column, position, Number(value ?? 0)),
];
const time = (column: TimeColumn, sql: string): Field => [
  `date_part('epoch', ${sql}) * 1000`,
  (columns, position, value) =>
    columns.setTime(column, position, value === null ? null : Math.round(Number(value))),
];
const word = (column: WordColumn, sql: string): Field => [
  sql,
  (columns, position, value) => columns.setWord(column, position, value ?? ''),
];
const flag = (column: FlagColumn, sql: string): Field => [
  sql,
  (columns, position, value) => columns.setFlag(column, position, value === 't'),
];
const text = (column: TextColumn, sql: string): Field => [
  sql,
  (columns, position, value) => columns.setText(column, position, value ?? ''),
];

const containers = [...containerKinds].map((kind) => `'${kind}'`).join(', ');

const hostFields: readonly Field[] = [
  time('createdAt', 'h.created_at'),
  time('firstSnapshotAt', 's.first_snapshot_at'),
  word('approvalStatus', 'h.approval_status'),
  word('exposure', 'h.exposure'),
  word('osFamily', 's.os_family'),
  text('osName', 's.os_name'),
  text('osVersion', 's.os_version'),
  number('releaseId', 's.release_id'),
  number('setId', 's.set_id'),
  number('kernelId', 's.judged_kernel_id'),
  number('findingListId', 's.finding_list_id'),
  number('gaps', 's.gaps'),
  flag('hasReport', 's.snapshot_id IS NOT NULL'),
  // Facts can be large, so they are read for few hosts only.
  flag(
    'runsUnknownKernel',
    `CASE WHEN s.snapshot_id IS NOT NULL AND s.judged_kernel_id IS NULL
     THEN p.id IS NULL OR coalesce(lower(p.facts #>> '{platform,virtualization}') NOT IN (${containers}), true) END`,
  ),
  ['array_to_json(h.tags)', (columns, position, value) => columns.setTags(position, value ?? '[]')],
];

const hostRows = `SELECT h.id, h.display_name, h.hostname, h.ip_address, ${hostFields.map(([sql]) => sql).join(', ')}
  FROM hosts h JOIN host_state s ON s.host_id = h.id LEFT JOIN snapshots p ON p.id = s.snapshot_id`;

/** SQL: whether a host of `hosts` is in service. Only those are in memory, so that no list or total has retired ones. */
const inService = `approval_status <> 'retired'`;

/** Rows stored before the process does other work. */
const rowsPerTurn = 1_000;
const idsPerRead = 2_000;
const rowsPerFetch = 2_000;

/** The values as text, in arrays: parsing each by its type takes longer than reading them. */
const asText = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

async function rowsOf(
  client: pg.Pool | pg.PoolClient,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Value[][]> {
  const { rows } = await client.query<Value[]>({ text: statement, values: [...values], ...asText });
  return rows;
}

function storeHost(columns: HostColumns, row: readonly Value[]): void {
  const [id, displayName, hostname, address = null, ...values] = row;
  const position = columns.place(id as HostId); // The column has ids of hosts.
  columns.setNames(position, { displayName: displayName ?? '', hostname: hostname ?? '', address });
  for (const [n, [, store]] of hostFields.entries()) store(columns, position, values[n] ?? null);
}

/** Reads all hosts that are in service. Call it in a transaction. */
export async function readAllHosts(tx: pg.PoolClient, columns: HostColumns): Promise<void> {
  // A cursor is planned for its first rows otherwise.
  await tx.query(`SELECT set_config('cursor_tuple_fraction', '1', true)`);
  await tx.query(`DECLARE every_host NO SCROLL CURSOR FOR ${hostRows} WHERE h.${inService}`);
  for (;;) {
    const rows = await rowsOf(tx, `FETCH ${rowsPerFetch} FROM every_host`);
    await inTurns(rows, (row) => storeHost(columns, row));
    if (rows.length < rowsPerFetch) return;
  }
}

/**
 * Reads some hosts again; removes those that no longer exist or are retired.
 * @param isNewer whether a host was read after this read began
 */
export async function readHosts(
  client: pg.Pool,
  columns: HostColumns,
  ids: readonly string[],
  isNewer: (id: string) => boolean = () => false,
): Promise<void> {
  for (let first = 0; first < ids.length; first += idsPerRead) {
    const some = ids.slice(first, first + idsPerRead);
    const rows = await rowsOf(client, `${hostRows} WHERE h.id = ANY($1::uuid[]) AND h.${inService}`, [some]);
    const found = new Set(rows.map(([id]) => id));
    for (const id of some) if (!found.has(id) && !isNewer(id)) columns.remove(id);
    await inTurns(rows, (row) => {
      if (!isNewer(row[0] ?? '')) storeHost(columns, row);
    });
  }
}

/** A point in the order of transactions: what began later is found by `changedSince`. */
export type Horizon = string;

/** SQL: whether a row version was written since the horizon $1, or might have been. */
const isSince = (table: string) => `age(${table}.xmin) <= age($1::xid)`;

/** The hosts that changed since a horizon. */
export async function changedSince(client: pg.Pool, horizon: Horizon): Promise<string[]> {
  const rows = await rowsOf(
    client,
    `SELECT h.id FROM hosts h WHERE ${isSince('h')} UNION SELECT s.host_id FROM host_state s WHERE ${isSince('s')}`,
    [horizon],
  );
  return rows.flatMap(([id]) => id ?? []);
}

/** The number of hosts in service. */
export async function countHosts(client: pg.Pool): Promise<number> {
  const [row] = await rowsOf(client, `SELECT count(*) FROM hosts WHERE ${inService}`);
  return Number(row?.[0] ?? 0);
}

/** Removes the hosts that no longer exist or are retired; `isNewer` as above. */
export async function removeDeleted(
  client: pg.Pool,
  columns: HostColumns,
  isNewer: (id: string) => boolean,
): Promise<void> {
  const stored = new Set((await rowsOf(client, `SELECT id FROM hosts WHERE ${inService}`)).map(([id]) => id));
  for (const id of columns.ids) if (!stored.has(id) && !isNewer(id)) columns.remove(id);
}

/**
 * SQL: the horizon before all transactions that are not over, and the releases of all hosts as JSON, always in the same order. Finds
 * the releases with one look into an index for each, because every question reads them.
 */
export const releaseRows = `WITH RECURSIVE used AS (
    (SELECT release_id FROM host_state WHERE release_id IS NOT NULL ORDER BY release_id LIMIT 1)
    UNION ALL
    SELECT n.release_id FROM used CROSS JOIN LATERAL (
      SELECT s.release_id FROM host_state s WHERE s.release_id > used.release_id ORDER BY s.release_id LIMIT 1) n)
  SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS horizon, (
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'feedId', f.id,
    'feedUpdatedAt', round((date_part('epoch', ${feedUpdatedAtSql}) * 1000)::numeric)) ORDER BY r.id), '[]')::text
  FROM used s ${releaseJoins}) AS releases`;

/** A row of `releaseRows`. */
export interface ReleaseRow {
  readonly horizon: Horizon;
  readonly releases: string;
}

/** The releases in a row. */
export function releasesIn({ releases }: ReleaseRow): readonly ReleaseOfHosts[] {
  return JSON.parse(releases) as readonly ReleaseOfHosts[]; // Written by `releaseRows`.
}

async function inTurns<Row>(rows: readonly Row[], take: (row: Row) => void): Promise<void> {
  for (const [n, row] of rows.entries()) {
    if (n % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    take(row);
  }
}
