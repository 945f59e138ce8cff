import type { PackageVersionId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
import { changeAdvisories } from '../core/locks.ts';
import { noteVersionChange } from '../knowledge/package-versions.ts';

/** The columns that have the time of a change of knowledge. */
const columns: readonly (readonly [table: string, column: string])[] = [
  ['advisories', 'since'],
  ['advisory_packages', 'since'],
  ['advisory_packages', 'first_seen_at'],
  ['package_version_advisories', 'since'],
  ['package_version_advisories', 'known_at'],
  ['past_advisories', 'since'],
  ['past_advisories', 'until'],
  ['past_statements', 'since'],
  ['past_statements', 'until'],
  ['past_statements', 'first_seen_at'],
  ['past_matches', 'since'],
  ['past_matches', 'until'],
  ['past_matches', 'known_at'],
  ['past_cve_facts', 'since'],
  ['past_cve_facts', 'until'],
  ['cves', 'exploited_known_at'],
  ['cves', 'ssvc_known_at'],
  ['knowledge_changes', 'at'],
];

/** The id of the newest change of knowledge; 0: there is none. */
export async function newestChangeId({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT coalesce(max(id), 0)::int AS id FROM knowledge_changes',
  );
  return rows[0]?.id ?? 0;
}

/** The number of stored advisories, of every feed. */
export async function countAdvisories({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM advisories');
  return rows[0]?.n ?? 0;
}

/**
 * Moves the changes of knowledge after change `after` into the past, with everything that began or ended with them, one
 * millisecond apart. Throws RangeError if they are not of one import, which makes at most one for a feed, or if `at` is not
 * later than every change before.
 */
export async function backdateImport(db: Database, after: number, at: Date): Promise<void> {
  const { rows } = await db.pool.query<{ id: number; at: Date; feeds: readonly string[] }>(
    'SELECT id, at, feeds FROM knowledge_changes WHERE id > $1 OR at >= $2 ORDER BY id',
    [after, at],
  );
  const named = rows.flatMap(({ feeds }) => feeds);
  if (rows.some(({ id }) => id <= after) || new Set(named).size < named.length)
    throw new RangeError(`${rows.length} changes of knowledge are new or later, of more than one import`);
  for (const [index, change] of rows.entries()) await move(db, change.at, new Date(at.getTime() + index));
}

/** Moves all changes of knowledge before a time, one millisecond apart. */
export async function backdateAllChanges(db: Database, before: Date): Promise<void> {
  const { rows } = await db.pool.query<{ at: Date }>(
    'SELECT at FROM knowledge_changes WHERE at >= $1 ORDER BY id',
    [before],
  );
  for (const [index, { at }] of rows.entries())
    await move(db, at, new Date(before.getTime() - rows.length + index));
}

/** The time by the clock of the database. */
export async function databaseTime({ pool }: Database): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return rows[0]?.at ?? new Date();
}

/**
 * Moves what was noted about releases after `since` back to a time: of several notes about a release the newest. Call it
 * for each seeded time, before anything is noted for the next one.
 */
export async function backdateCoverage({ pool }: Database, since: Date, at: Date): Promise<void> {
  await pool.query(
    `DELETE FROM release_coverage c WHERE (at > $1 OR at = $2)
       AND EXISTS (SELECT FROM release_coverage n WHERE n.release_id = c.release_id AND n.at > c.at AND n.at > $1)`,
    [since, at],
  );
  await pool.query('UPDATE release_coverage SET at = $2, updated_at = least(updated_at, $2) WHERE at > $1', [
    since,
    at,
  ]);
}

/** Moves what began or ended at a time. A service that runs meanwhile drops what it keeps of the versions concerned. */
async function move({ pool }: Database, from: Date, to: Date): Promise<void> {
  await inPgTransaction(pool, async (tx) => {
    await changeAdvisories(tx);
    const versions = await versionsChangedAt(tx, from);
    for (const [table, column] of columns)
      await tx.query(`UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2`, [to, from]);
    // Counts do not depend on these times.
    if (versions.length > 0) await noteVersionChange(tx, { versions }, { counted: true });
  });
}

/** The package versions with matches that began or ended at a time, or whose statements or advisories did. */
async function versionsChangedAt(tx: PgTransaction, at: Date): Promise<readonly PackageVersionId[]> {
  const { rows } = await tx.query<{ id: PackageVersionId }>(
    `WITH moved AS (
       SELECT id FROM advisories WHERE since = $1
       UNION SELECT id FROM past_advisories WHERE $1 IN (since, until)),
     statements AS (
       SELECT id FROM advisory_packages WHERE $1 IN (since, first_seen_at) OR advisory_id IN (SELECT id FROM moved)
       UNION SELECT id FROM past_statements
         WHERE $1 IN (since, until, first_seen_at) OR advisory_id IN (SELECT id FROM moved)),
     matches AS (
       SELECT package_version_id AS id, advisory_package_id AS statement, $1 IN (since, known_at) AS moves FROM package_version_advisories
       UNION ALL SELECT package_version_id, advisory_package_id, $1 IN (since, until, known_at) FROM past_matches)
     SELECT DISTINCT id FROM matches WHERE moves OR statement IN (SELECT id FROM statements) ORDER BY id`,
    [at],
  );
  return rows.map(({ id }) => id);
}
