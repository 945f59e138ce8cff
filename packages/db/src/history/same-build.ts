import type { AdvisoryKey, ChangeCause, MatchCause, PackageVersion, PackageVersionId } from '@plimsoll/model';
import { type Exposure, exposureAt, exposuresOf, type MatchSpan, sinceKnown } from './exposure-walk.ts';
import type { Stay, VersionChain } from './version-chains.ts';

/** What makes two package versions the same build: they can differ in what else is stored of them. */
export type Build = Pick<PackageVersion, 'name' | 'architecture' | 'version'>;

/** Whether two package versions are the same build: nothing was installed as one followed the other. */
export function isSameBuild(one: Build | undefined, other: Build | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.version === other.version && one.name === other.name && one.architecture === other.architecture;
}

/** A chain that says which of its stays follow each other with the same build. @param versions those that are missing differ. */
export function withSameBuilds(
  chain: VersionChain,
  versions: { get(id: PackageVersionId): Build | undefined },
): VersionChain {
  const { kind, stays } = chain;
  if (stays.length < 2) return chain;
  const follows = stays.map((stay, index) => {
    const before = stays[index - 1];
    return (
      before?.until?.getTime() === stay.from.getTime() &&
      isSameBuild(versions.get(before.versionId), versions.get(stay.versionId))
    );
  });
  if (!follows.includes(true)) return chain;
  const marked = stays.map((stay, index) => ({
    ...stay,
    restates: follows[index] === true,
    isRestated: follows[index + 1] === true,
  }));
  return { kind, stays: marked };
}

/** An advisory that affects a version at a time. */
export interface OpenAdvisory {
  readonly advisory: AdvisoryKey;
  /** The CVEs that are open on the version. */
  readonly cves: readonly string[];
}

/** What is known of the versions of a chain. */
export interface KnownOfVersions {
  spansOf(version: PackageVersionId, advisory: AdvisoryKey): readonly MatchSpan[];
  openAt(version: PackageVersionId, at: Date): readonly OpenAdvisory[];
  /** Whether it is known which advisories affect it. */
  isJudged(version: PackageVersionId): boolean;
}

/** When something began, and why. */
export type Start = Pick<Exposure, 'from' | 'fromCause'>;

/** The open advisories of a version at a time. */
interface Opened {
  readonly cvesOf: ReadonlyMap<AdvisoryKey, readonly string[]>;
  readonly advisoriesOf: ReadonlyMap<string, readonly AdvisoryKey[]>;
}

/**
 * Answers what becomes of exposures where a chain goes on with the same build and only what else is stored of it differs: the line
 * that the host follows, the module stream, the vendor. Then nothing changed on the host, but other advisories can count.
 */
export class SameBuilds {
  readonly #chain: VersionChain;
  readonly #known: KnownOfVersions;
  readonly #opened = new Map<string, Opened>();
  readonly #starts = new Map<string, Start | null>();

  constructor(chain: VersionChain, known: KnownOfVersions) {
    this.#chain = chain;
    this.#known = known;
  }

  /** The causes of an exposure: `source_changed` where all its CVEs were open before or are still open by other advisories. */
  causesOf(
    advisory: AdvisoryKey,
    { from, fromCause, until, untilCause }: Exposure,
  ): { readonly fromCause: ChangeCause; readonly untilCause: ChangeCause | null } {
    const { stays } = this.#chain;
    const first = stays.findIndex((stay) => isBegunAt(stay, from));
    const last = until === null ? -1 : stays.findIndex((stay) => isEndedAt(stay, until));
    return {
      fromCause: first === -1 ? fromCause : this.#causeOf(advisory, stays[first], stays[first - 1]),
      untilCause: last === -1 ? untilCause : this.#causeOf(advisory, stays[last], stays[last + 1]),
    };
  }

  /**
   * When the exposure to what an advisory is about began, whichever advisories said so of the same build before: where all its CVEs are
   * known, as in `known_at` of a match. Times in which it was not known whether the build is affected are no gap. What is given if
   * it continues nothing.
   */
  startOf(advisory: AdvisoryKey, exposure: Start): Start {
    const { stays } = this.#chain;
    const index = stays.findIndex((stay) => isBegunAt(stay, exposure.from));
    const stay = stays[index];
    const before = this.#judgedBefore(index);
    if (stay === undefined || before?.until == null) return exposure;
    const cves = this.#openedAt(stay.versionId, stay.from).cvesOf.get(advisory) ?? [];
    const end = justBefore(before.until);
    const { advisoriesOf } = this.#openedAt(before.versionId, end);
    let latest: Start | null = null;
    for (const cve of cves) {
      let earliest: Start | null = null;
      for (const other of advisoriesOf.get(cve) ?? []) {
        const start = this.#startAt(other, end);
        if (start !== null && (earliest === null || start.from < earliest.from)) earliest = start;
      }
      if (earliest === null) return exposure;
      if (latest === null || earliest.from > latest.from) latest = earliest;
    }
    return latest ?? exposure;
  }

  #causeOf(advisory: AdvisoryKey, here: Stay | undefined, there: Stay | undefined): MatchCause {
    if (here === undefined || there === undefined) return 'rules_changed';
    const isLater = there.from >= here.from;
    const at = (stay: Stay, isEarlier: boolean) =>
      isEarlier && stay.until !== null ? justBefore(stay.until) : stay.from;
    const cves = this.#openedAt(here.versionId, at(here, isLater)).cvesOf.get(advisory) ?? [];
    const { advisoriesOf } = this.#openedAt(there.versionId, at(there, !isLater));
    return cves.length > 0 && cves.every((cve) => advisoriesOf.has(cve)) ? 'source_changed' : 'rules_changed';
  }

  /** The stay before one, of the same build and of a version that can be judged. */
  #judgedBefore(index: number): Stay | undefined {
    const { stays } = this.#chain;
    for (let at = index; stays[at]?.restates === true; at -= 1) {
      const before = stays[at - 1];
      if (before?.isRestated !== true) return undefined;
      if (this.#known.isJudged(before.versionId)) return before;
    }
    return undefined;
  }

  /** When the exposure at a time began, by what was known up to then; null: there is none. */
  #startAt(advisory: AdvisoryKey, at: Date): Start | null {
    const key = `${advisory} ${at.getTime()}`;
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const { kind, stays } = this.#chain;
    const spansOf = (version: PackageVersionId) => this.#known.spansOf(version, advisory);
    const last = stays.findIndex(({ from, until }) => from <= at && (until === null || at < until));
    let first = last;
    while (first > 0 && spansOf(stays[first - 1]?.versionId ?? (0 as PackageVersionId)).length > 0)
      first -= 1;
    const exposures = exposuresOf({ kind, stays: stays.slice(first, last + 1) }, (version) =>
      sinceKnown(spansOf(version).filter(({ since }) => since <= at)),
    );
    const found = exposureAt(exposures, at.getTime());
    const start = found === undefined ? null : this.startOf(advisory, found);
    this.#starts.set(key, start);
    return start;
  }

  #openedAt(version: PackageVersionId, at: Date): Opened {
    const key = `${version} ${at.getTime()}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const cvesOf = new Map<AdvisoryKey, readonly string[]>();
    const advisoriesOf = new Map<string, AdvisoryKey[]>();
    for (const { advisory, cves } of this.#known.openAt(version, at)) {
      cvesOf.set(advisory, [...(cvesOf.get(advisory) ?? []), ...cves]);
      for (const cve of cves) {
        const some = advisoriesOf.get(cve);
        if (some === undefined) advisoriesOf.set(cve, [advisory]);
        else some.push(advisory);
      }
    }
    const opened = { cvesOf, advisoriesOf };
    this.#opened.set(key, opened);
    return opened;
  }
}

/** Whether a stay began at a time with the build that was there before. */
function isBegunAt({ from, restates }: Stay, at: Date): boolean {
  return restates === true && from.getTime() === at.getTime();
}

/** Whether a stay ended at a time and the build stayed. */
function isEndedAt({ until, isRestated }: Stay, at: Date): boolean {
  return isRestated === true && until?.getTime() === at.getTime();
}

/** The last moment before a time; times are in whole milliseconds. */
function justBefore(time: Date): Date {
  return new Date(time.getTime() - 1);
}
