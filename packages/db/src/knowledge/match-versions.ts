import type { PackageVersionId, Statement } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../core/database.ts';
import { holdAdvisories, isLockTimeout, waitBriefly } from '../core/locks.ts';
import { findMatches, type MatchedVersion } from './find-matches.ts';
import { JudgedCveMemory } from './judged-cves.ts';
import type { KnowledgeChange } from './knowledge-change.ts';
import { assessedPackages } from './load-subjects.ts';
import type { FreshMatch } from './match-differences.ts';
import {
  packageVersionColumns,
  queryPackageVersions,
  type StoredPackageVersion,
} from './package-versions.ts';
import { loadUnmatched, lockUnmatched, noteMatched } from './version-arrivals.ts';
import { VersionMemory } from './version-memory.ts';
import { insertFirstMatches, replaceMatches } from './write-match-differences.ts';

/**
 * Matches those of some package versions that were never matched, with others that arrived with them. A version for
 * which this would have to wait for an import stays unmatched; the others do not.
 * @param idsOf loads the ids of the versions; called only if a version of any host was never matched.
 */
export async function matchNewVersions(
  { pool }: Database,
  idsOf: () => Promise<readonly PackageVersionId[]>,
  memory = new VersionMemory(),
): Promise<void> {
  // First without a lock, because most uploads contain no new version.
  const unmatched = await loadUnmatched(pool);
  if (unmatched.length === 0) return;
  const wanted = new Set(await idsOf());
  const numbers = unmatched.filter((arrival) => arrival.ids.some((id) => wanted.has(id))).map(({ n }) => n);
  if (numbers.length === 0) return;
  try {
    const keep = await inPgTransaction(pool, (tx) => matchArrivals(preparing(tx), numbers, memory));
    keep();
  } catch (error) {
    // The scheduler rings again for the uploads.
    if (!isLockTimeout(error)) throw error;
  }
}

/**
 * Matches all versions of arrivals: the uploads that brought the others follow soon. Returns a function that keeps them in
 * the memory, to be called when the transaction is committed.
 */
async function matchArrivals(
  tx: PgTransaction,
  numbers: readonly string[],
  memory: VersionMemory,
): Promise<() => void> {
  await holdAdvisories(tx);
  const arrivals = await lockUnmatched(tx, numbers);
  // A condemned version can be one of an upload that was interned while a round looked; the lock keeps it.
  const rows = await queryPackageVersions(
    tx,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) AND (NOT v.condemned OR v.id IN (
       SELECT id FROM package_versions WHERE id = ANY($1::int[]) AND condemned FOR KEY SHARE SKIP LOCKED))
     ORDER BY v.id`,
    [arrivals.flatMap(({ ids }) => ids)],
  );
  await waitBriefly(tx);
  const state = await memory.follow(tx);
  const all = await findMatches(tx, rows, state.sources);
  const since = await holdStatements(tx, all);
  const found = all.filter(({ matches }) =>
    matches.every(({ statement }) => since.has(statement.statementId)),
  );
  await insertFirstMatches(tx, found, since);
  const matched = new Set(found.map(({ id }) => id));
  await noteMatched(tx, arrivals, (id) => matched.has(id));
  const fresh = rows.filter(({ id }) => matched.has(id));
  const subjects = await assessedPackages(tx, fresh, statementsOf(found, since), memory.isDated);
  return () => memory.keep(subjects, state);
}

/** The statements of the first matches of versions, as loadMatchedStatements loads them. */
function statementsOf(
  found: readonly MatchedVersion[],
  since: ReadonlyMap<number, Date>,
): ReadonlyMap<PackageVersionId, readonly Statement[]> {
  // Versions of one class share the list.
  const lists = new Map<readonly FreshMatch[], readonly Statement[]>();
  return new Map(
    found.map(({ id, matches }) => {
      const statements = lists.get(matches) ?? storedStatements(matches, since);
      lists.set(matches, statements);
      return [id, statements];
    }),
  );
}

/** The statements of matches in the form and order in which stored ones are loaded. */
function storedStatements(
  matches: readonly FreshMatch[],
  since: ReadonlyMap<number, Date>,
): readonly Statement[] {
  return matches
    .map(({ statement }) => {
      const firstSeenAt = since.get(statement.statementId) ?? statement.firstSeenAt;
      return firstSeenAt.getTime() === statement.firstSeenAt.getTime()
        ? statement
        : { ...statement, firstSeenAt };
    })
    .sort((a, b) => a.statementId - b.statementId);
}

/**
 * Keeps the statements of matches, and returns since when each is known. Without those that an import has deleted; it
 * waits for this transaction.
 */
async function holdStatements(
  tx: PgTransaction,
  found: readonly MatchedVersion[],
): Promise<ReadonlyMap<number, Date>> {
  const wanted = new Set<number>();
  for (const list of new Set(found.map(({ matches }) => matches)))
    for (const { statement } of list) wanted.add(statement.statementId);
  if (wanted.size === 0) return new Map();
  const { rows } = await tx.query<{ id: number; since: Date }>(
    `SELECT id, first_seen_at AS since FROM advisory_packages WHERE id = ANY($1::int[])
     FOR KEY SHARE SKIP LOCKED`,
    [[...wanted]],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

/**
 * Matches package versions again, under the current rules and statements, and stores what changed as part of a change
 * of knowledge.
 */
export async function rematchVersions(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
  change: KnowledgeChange,
  judged = new JudgedCveMemory(),
): Promise<void> {
  await replaceMatches(tx, change, await findMatches(tx, versions, { judged }));
}
