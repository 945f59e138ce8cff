import { type KeyScale, keyScaleOf, versionClassOf } from '@plimsoll/advisories';
import type { Statement } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { FreshMatch } from '../history/match-differences.ts';
import type { StoredPackageVersion } from './package-versions.ts';

/** Matches that are kept, and lists without any. A match shares its statement with StatementMemory. */
const mostMatches = 20_000;

/**
 * The matches of classes of package versions: statements judge the versions of a class alike (versionClassOf), so that
 * one of them stands for all. Use it as long as no advisory changes.
 */
export class MatchClasses {
  private readonly scales = new WeakMap<readonly Statement[], KeyScale | null>();
  private readonly known = new LRUCache<string, readonly FreshMatch[]>({
    maxSize: mostMatches,
    sizeCalculation: (matches) => 1 + matches.length,
  });

  /** The class of a version; null if it stands for itself alone. @param about lists of statements, each always the same object. */
  classOf(version: StoredPackageVersion, about: readonly (readonly Statement[])[]): string | null {
    const [statements = [], ...more] = about.filter(({ length }) => length > 0);
    if (more.length > 0) return null;
    const scale = this.scaleOf(statements);
    if (scale === null) return null;
    return `${version.releaseId}\0${version.matchName ?? ''}\0${versionClassOf(version, scale)}`;
  }

  /** The matches of a class; undefined if they are not kept. */
  get(key: string): readonly FreshMatch[] | undefined {
    return this.known.get(key);
  }

  /** Keeps the matches of a class. */
  set(key: string, matches: readonly FreshMatch[]): void {
    this.known.set(key, matches);
  }

  private scaleOf(statements: readonly Statement[]): KeyScale | null {
    const known = this.scales.get(statements);
    if (known !== undefined) return known;
    const scale = keyScaleOf(statements);
    this.scales.set(statements, scale);
    return scale;
  }
}
