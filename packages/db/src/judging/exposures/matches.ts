import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type { MatchContent } from './match-contents.ts';

/** An affecting match, and the CVEs in question that are open by it. */
export type OpenMatch = Pick<MatchContent, 'advisory' | 'cves'>;

const noMatches: readonly MatchContent[] = [];

/** The matches of package versions, by version and advisory. */
export class Matches {
  readonly #byVersion = new Map<PackageVersionId, Map<AdvisoryKey, MatchContent[]>>();
  readonly #cve: string | null;
  #size = 0;

  /** @param cve the only CVE that the matches are about; null: they are all matches of their versions. */
  constructor(matches: readonly MatchContent[], cve: string | null = null) {
    this.#cve = cve;
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

  /** The matches of a version that affect it at a time. */
  openAt(versionId: PackageVersionId, at: Date): readonly OpenMatch[] {
    const own = [this.#cve].filter((cve) => cve !== null);
    return [...(this.#byVersion.get(versionId)?.values() ?? [])]
      .flat()
      .filter(({ since, until }) => since <= at && (until === null || at < until))
      .map(({ advisory, cves }) => ({ advisory, cves: this.#cve === null ? cves : own }));
  }

  spansOf(versionId: PackageVersionId, advisory: AdvisoryKey): readonly MatchContent[] {
    return this.#byVersion.get(versionId)?.get(advisory) ?? noMatches;
  }
}
