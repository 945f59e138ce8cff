import type { PackageVersionId, Statement } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { FreshMatch } from '../history/match-differences.ts';
import type { MatchedVersion } from './find-matches.ts';
import type { StoredPackageVersion } from './package-versions.ts';

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
