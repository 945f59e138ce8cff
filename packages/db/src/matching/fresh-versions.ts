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

/** Versions that are kept, of about 600 bytes: the new ones of a hundred uploads. */
const mostVersions = 8_000;

/**
 * The package versions that this process has matched last, so that counting their hosts and writing their ledgers need
 * not read them back. Use it as long as no advisory changes.
 */
export class FreshVersions {
  private readonly known = new LRUCache<PackageVersionId, FreshVersion>({ max: mostVersions });

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
    .map(({ statement }) => ({
      ...statement,
      firstSeenAt: since.get(statement.statementId) ?? statement.firstSeenAt,
    }))
    .sort((a, b) => a.statementId - b.statementId);
}
