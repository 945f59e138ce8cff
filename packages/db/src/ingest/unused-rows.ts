import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Database, inPgTransaction } from '../core/database.ts';
import { holdAdvisories, isImporting } from '../core/locks.ts';
import { moveEpoch } from './interning.ts';
import {
  findingListIsUsed,
  IdMarks,
  markUsedUpgrades,
  markUsedVersions,
  releaseIsUsed,
  setIsUsed,
} from './used-rows.ts';

/** Held during a round, so that only one scheduler runs it. */
const roundLock = createHash('sha256').update('plimsoll unused rows').digest().readBigInt64BE(0).toString();
/** Rows changed per statement. This takes about 10 ms, which limits how long other transactions wait for these rows. */
const rowsPerStatement = 2_000;
const idsPerRead = 50_000;

/** The tables of interned values. */
type InternedTable = 'package_sets' | 'package_versions' | 'upgrades' | 'finding_lists' | 'releases';

/** The result of a round over rows without references. */
export interface UnusedRows {
  /** Rows without references. The next round deletes those that still have none. */
  readonly condemned: number;
  readonly deleted: number;
}

/** Collects package sets, package versions, updates, finding lists and releases that nothing refers to. */
export interface UnusedRowStore {
  /** Whether a host was deleted after `since` or condemned rows exist. Otherwise a round would find little. */
  isDue(since: Date): Promise<boolean>;
  /**
   * Runs one round: deletes rows that an earlier round condemned and that are still unused, and condemns rows that are
   * unused now. Null if another process is running a round. Why no id in use is lost: docs/decisions/interning.md.
   */
  collect(): Promise<UnusedRows | null>;
}

/** The unused rows of one database. */
export function createUnusedRowStore(db: Database): UnusedRowStore {
  return {
    async isDue(since) {
      const { rows } = await db.pool.query<{ due: boolean }>(
        `SELECT EXISTS (SELECT FROM audit_events WHERE action = 'host.deleted' AND at >= $1)
             OR EXISTS (SELECT FROM package_sets WHERE condemned)
             OR EXISTS (SELECT FROM package_versions WHERE condemned)
             OR EXISTS (SELECT FROM upgrades WHERE condemned)
             OR EXISTS (SELECT FROM finding_lists WHERE condemned)
             OR EXISTS (SELECT FROM releases WHERE condemned) AS due`,
        [since],
      );
      return rows[0]?.due === true;
    },
    async collect() {
      const client = await db.pool.connect();
      try {
        const { rows } = await client.query<{ locked: boolean }>(
          'SELECT pg_try_advisory_lock($1) AS locked',
          [roundLock],
        );
        if (rows[0]?.locked !== true) return null;
        try {
          return await collect(db, client);
        } finally {
          await client.query('SELECT pg_advisory_unlock($1)', [roundLock]);
        }
      } finally {
        client.release();
      }
    },
  };
}

async function collect(db: Database, client: pg.PoolClient): Promise<UnusedRows> {
  // After this, no worker can store an id that it looked up earlier, and later look-ups skip or reprieve condemned
  // rows. So rows that the following queries find unused stay unused.
  await inPgTransaction(db.pool, moveEpoch);
  const sets = await settle(db, 'package_sets', await unusedRows(client, 'package_sets ps', setIsUsed));
  const lists = await settle(
    db,
    'finding_lists',
    await unusedRows(client, 'finding_lists fl', findingListIsUsed),
  );
  const versions = await settle(
    db,
    'package_versions',
    await unmarkedIds(client, 'package_versions', markUsedVersions),
  );
  if (versions.deleted > 0) {
    await db.pool.query(deleteEmptyArrivals);
    await db.pool.query(deleteEmptyPostings);
  }
  const upgrades = await settle(db, 'upgrades', await unmarkedIds(client, 'upgrades', markUsedUpgrades));
  // Last, because versions and updates refer to them.
  const releases = await settle(db, 'releases', await unusedRows(client, 'releases r', releaseIsUsed));
  const all = [sets, lists, versions, upgrades, releases];
  return {
    condemned: all.reduce((sum, { condemned }) => sum + condemned, 0),
    deleted: all.reduce((sum, { deleted }) => sum + deleted, 0),
  };
}

/** Of each arrival of versions, one that is left is enough to keep it. */
const deleteEmptyArrivals = `DELETE FROM version_arrivals a
  WHERE NOT EXISTS (SELECT FROM unnest(a.ids) AS i (id) JOIN package_versions v USING (id))`;

/** No set contains the version, so its postings name deleted sets only. */
const deleteEmptyPostings = `DELETE FROM set_postings p
  WHERE NOT EXISTS (SELECT FROM package_versions v WHERE v.id = p.version_id)`;

/** Ids of unused rows, and of condemned rows that are in use. */
interface Look {
  readonly unused: readonly { readonly id: number; readonly condemned: boolean }[];
  readonly reprieved: readonly number[];
}

/** The unused rows of a table whose references are few; `isUsed` is SQL about a row of it. */
async function unusedRows(client: pg.PoolClient, table: string, isUsed: string): Promise<Look> {
  const { rows } = await client.query<{ id: number; condemned: boolean; used: boolean }>(
    `SELECT * FROM (SELECT id, condemned, ${isUsed} AS used FROM ${table}) s
     WHERE condemned OR NOT used ORDER BY id`,
  );
  return {
    unused: rows.filter(({ used }) => !used),
    reprieved: rows.filter(({ used }) => used).map(({ id }) => id),
  };
}

/** Reads one state of the database (REPEATABLE READ), for as long as it takes. */
async function unmarkedIds(
  client: pg.PoolClient,
  table: 'package_versions' | 'upgrades',
  markUsed: (client: pg.PoolClient, marks: IdMarks) => Promise<void>,
): Promise<Look> {
  const unused: { id: number; condemned: boolean }[] = [];
  const reprieved: number[] = [];
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const marks = new IdMarks();
    await markUsed(client, marks);
    let after = 0;
    for (;;) {
      const { rows } = await client.query<{ id: number; condemned: boolean }>(
        `SELECT id, condemned FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${idsPerRead}`,
        [after],
      );
      for (const row of rows) {
        if (!marks.has(row.id)) unused.push(row);
        else if (row.condemned) reprieved.push(row.id);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < idsPerRead) return { unused, reprieved };
      after = last.id;
    }
  } finally {
    await client.query('COMMIT');
  }
}

/** Deletes unused rows that are already condemned, condemns the other unused ones, and reprieves those in use. */
async function settle(
  { pool }: Database,
  table: InternedTable,
  { unused, reprieved }: Look,
): Promise<UnusedRows> {
  const condemnedIds = unused.filter(({ condemned }) => condemned).map(({ id }) => id);
  const newIds = unused.filter(({ condemned }) => !condemned).map(({ id }) => id);
  const update = (condemned: boolean) =>
    `UPDATE ${table} SET condemned = ${condemned} WHERE ${free(table, `condemned = ${!condemned}`)}`;
  await inPieces(reprieved, (ids) => pool.query(update(false), [ids]));
  return {
    // A row that was interned again in the meantime is no longer condemned and is kept.
    deleted: await inPieces(condemnedIds, (ids) =>
      inPgTransaction(pool, async (tx) => {
        // An import matches package versions first and stores the matches later in its transaction.
        await holdAdvisories(tx);
        // It interns releases long before it stores what refers to them.
        if (table === 'releases' && (await isImporting(tx))) return { rowCount: 0 };
        return tx.query(`DELETE FROM ${table} WHERE ${free(table, 'condemned')}`, [ids]);
      }),
    ),
    condemned: await inPieces(newIds, (ids) => pool.query(update(true), [ids])),
  };
}

/** The rows of $1 that no other transaction has locked. The statement waits for no row lock, so it cannot deadlock. */
function free(table: InternedTable, condition: string): string {
  return `id IN (SELECT id FROM ${table} WHERE id = ANY($1::int[]) AND ${condition} ORDER BY id
                 FOR UPDATE SKIP LOCKED)`;
}

/** Returns the number of changed rows. */
async function inPieces(
  ids: readonly number[],
  change: (ids: readonly number[]) => Promise<Pick<pg.QueryResult, 'rowCount'>>,
): Promise<number> {
  let changed = 0;
  for (let start = 0; start < ids.length; start += rowsPerStatement) {
    changed += (await change(ids.slice(start, start + rowsPerStatement))).rowCount ?? 0;
  }
  return changed;
}
