import type { PackageVersionId } from '@plimsoll/model';
import { holdAdvisories, isLockTimeout, waitBriefly } from '../connection/locks.ts';
import type { Statements } from '../connection/transaction.ts';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../database.ts';
import type { KnowledgeChange } from '../history/knowledge-change.ts';
import { insertFirstMatches, replaceMatches } from '../history/write-match-differences.ts';
import { findMatches, type MatchedVersion, type MatchSources } from './find-matches.ts';
import { FreshVersions } from './fresh-versions.ts';
import { JudgedCveMemory } from './judged-cves.ts';
import { MatchClasses } from './match-classes.ts';
import {
  packageVersionColumns,
  queryPackageVersions,
  type StoredPackageVersion,
} from './package-versions.ts';
import { StatementMemory } from './statements.ts';
import { loadUnmatched, lockUnmatched, noteMatched } from './version-arrivals.ts';

/**
 * Matches those of some package versions that were never matched, with others that arrived with them. A version for
 * which this would have to wait for an import stays unmatched; the others do not.
 * @param idsOf loads the ids of the versions; called only if a version of any host was never matched.
 */
export async function matchNewVersions(
  { pool }: Database,
  idsOf: () => Promise<readonly PackageVersionId[]>,
  memory = new MatchMemory(),
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
  memory: MatchMemory,
): Promise<() => void> {
  await holdAdvisories(tx);
  const arrivals = await lockUnmatched(tx, numbers);
  // A condemned version may be deleted meanwhile; it is matched when an upload has it again.
  const rows = await queryPackageVersions(
    tx,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) AND NOT v.condemned ORDER BY v.id`,
    [arrivals.flatMap(({ ids }) => ids)],
  );
  await waitBriefly(tx);
  const sources = await memory.current(tx);
  const all = await findMatches(tx, rows, sources);
  const since = await holdStatements(tx, all);
  const found = all.filter(({ matches }) =>
    matches.every(({ statement }) => since.has(statement.statementId)),
  );
  await insertFirstMatches(tx, found, since);
  const matched = new Set(found.map(({ id }) => id));
  await noteMatched(tx, arrivals, (id) => matched.has(id));
  // If advisories change before it is called, it adds to sources that nothing uses any more.
  return () => sources.fresh.keep(new Map(rows.map((version) => [version.id, version])), found, since);
}

/** What matching has read and found under the advisories of one time. */
interface KnownForMatching extends MatchSources {
  readonly fresh: FreshVersions;
}

/** What matching reads of advisories, kept between transactions until advisories change. One for each process. */
export class MatchMemory {
  private known: KnownForMatching | null = null;
  /** The newest change of knowledge that `known` follows; null: there is none. */
  private seen: number | null = null;

  /** Forgets everything if advisories changed. The caller holds the lock of holdAdvisories until it has used the sources. */
  async current(tx: Statements): Promise<KnownForMatching> {
    // Every transaction that changes advisories, rules or corrections adds a row, and ids only grow.
    const { rows } = await tx.query<{ newest: number | null }>(
      'SELECT max(id) AS newest FROM knowledge_changes',
      [],
    );
    const newest = rows[0]?.newest ?? null;
    if (this.known === null || newest !== this.seen) {
      this.known = {
        statements: new StatementMemory(),
        judged: new JudgedCveMemory(),
        classes: new MatchClasses(),
        fresh: new FreshVersions(),
      };
      this.seen = newest;
    }
    return this.known;
  }
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
