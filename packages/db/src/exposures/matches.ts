import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type { MatchContent } from './match-contents.ts';

const noMatches: readonly MatchContent[] = [];

/** The matches of package versions, by version and advisory. */
export class Matches {
  readonly #byVersion = new Map<PackageVersionId, Map<AdvisoryKey, MatchContent[]>>();
  #size = 0;

  constructor(matches: readonly MatchContent[]) {
    this.add(matches);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds matches of versions, of which there is none yet. */
  add(matches: readonly MatchContent[]): void {
    for (const match of matches) {
      const ofVersion = this.#byVersion.get(match.versionId) ?? new Map<AdvisoryKey, MatchContent[]>();
      this.#byVersion.set(match.versionId, ofVersion);
      const spans = ofVersion.get(match.advisory);
      if (spans === undefined) ofVersion.set(match.advisory, [match]);
      else spans.push(match);
    }
    this.#size += matches.length;
  }

  /** The versions that were affected at any time. */
  versions(): readonly PackageVersionId[] {
    return [...this.#byVersion.keys()];
  }

  /** The advisories that affected one of some versions at any time, each once. */
  advisoriesOf(versions: readonly PackageVersionId[]): Iterable<AdvisoryKey> {
    const [first] = versions;
    if (first === undefined) return [];
    if (versions.length === 1) return this.#byVersion.get(first)?.keys() ?? [];
    const all = new Set<AdvisoryKey>();
    for (const version of versions)
      for (const advisory of this.#byVersion.get(version)?.keys() ?? []) all.add(advisory);
    return all;
  }

  spansOf(versionId: PackageVersionId, advisory: AdvisoryKey): readonly MatchContent[] {
    return this.#byVersion.get(versionId)?.get(advisory) ?? noMatches;
  }
}
