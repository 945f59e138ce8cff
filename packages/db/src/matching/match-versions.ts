import type { PackageVersionId, Statement } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import { holdAdvisories, isLockTimeout, waitBriefly } from '../connection/locks.ts';
import type { Statements } from '../connection/transaction.ts';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../database.ts';
import type { KnowledgeChange } from '../history/knowledge-change.ts';
import type { FreshMatch } from '../history/match-differences.ts';
import { insertFirstMatches, replaceMatches } from '../history/write-match-differences.ts';
import { findMatches, MatchClasses, type MatchedVersion, type MatchSources } from './find-matches.ts';
import { JudgedCveMemory } from './judged-cves.ts';
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

/** A package version with the statements that affect it: as loadPackageVersions and loadMatchedStatements load them. */
export interface FreshVersion {
  readonly version: StoredPackageVersion;
  /** Versions of one class share the list. */
  readonly statements: readonly Statement[];
}

/**
 * What is kept, counted in statements; a version itself takes as much as four of 150 bytes. Lists that versions share are
 * counted for each of them, and their statements with StatementMemory, unless that has dropped them: then one takes about
 * 600 bytes. About 4,500 versions: the new ones of a batch of uploads.
 */
const mostKept = 25_000;
const sizeOfVersion = 4;
/** An old kernel has thousands of statements. */
const mostStatements = 2_000;

/**
 * The package versions that this process has matched last, so that counting their hosts and writing their ledgers need
 * not read them back. Use it as long as no advisory changes.
 */
export class FreshVersions {
  private readonly known = new LRUCache<PackageVersionId, FreshVersion>({
    maxSize: mostKept,
    maxEntrySize: mostStatements,
    sizeCalculation: ({ statements }) => sizeOfVersion + statements.length,
  });

  /** Undefined: it must be loaded. */
  get(id: PackageVersionId): FreshVersion | undefined {
    return this.known.get(id);
  }

  /** Keeps versions whose first matches are committed. @param since when each matching statement became known. */
  keep(
    versions: ReadonlyMap<PackageVersionId, StoredPackageVersion>,
    found: readonly MatchedVersion[],
    since: ReadonlyMap<number, Date>,
  ): void {
    const lists = new Map<readonly FreshMatch[], readonly Statement[]>();
    for (const { id, matches } of found) {
      const version = versions.get(id);
      if (version === undefined) continue;
      const statements = lists.get(matches) ?? storedStatements(matches, since);
      lists.set(matches, statements);
      this.known.set(id, { version, statements });
    }
  }
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
