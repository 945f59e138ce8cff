import type { AdvisoryKey, ChangeCause, MatchCause, PackageVersion, PackageVersionId } from '@plimsoll/model';
import type { MatchSpan } from '../../knowledge/known-versions.ts';
import type { HostCause, Stay, VersionChain } from './version-chains.ts';

/** A time span in which a host had versions that an advisory was known to affect, without a gap. */
export interface Exposure {
  readonly from: Date;
  readonly fromCause: ChangeCause;
  /** Null: it goes on. */
  readonly until: Date | null;
  readonly untilCause: ChangeCause | null;
  /** The version that the host had when it began. */
  readonly firstVersion: PackageVersionId;
  /** The version that the host had last. */
  readonly lastVersion: PackageVersionId;
}

/**
 * The time spans in which a chain of versions was affected by one advisory, the oldest first. A span goes on over a
 * change of version if both versions are affected at that moment, and over a change of the record that is known as an
 * affecting one before and after it. Its start has the cause that came last: of the version's arrival and the start of
 * the match the later one, of two at the same time the version's arrival. Its end has the cause that came first. Where the
 * same build stays, another version of it is no change on the host: SameBuilds says which of its advisories took turns.
 * @param spansOf the matches of a version with the advisory, in any order.
 */
export function exposuresOf(
  { kind, stays }: VersionChain,
  spansOf: (version: PackageVersionId) => readonly MatchSpan[],
): readonly Exposure[] {
  const hostCause: HostCause = kind === 'booted' ? 'kernel_booted' : 'package_changed';
  const exposures: Exposure[] = [];
  for (const stay of stays) {
    for (const span of inOrder(spansOf(stay.versionId))) {
      const piece = common(stay, span, hostCause);
      if (piece === null) continue;
      const before = exposures.at(-1);
      if (before === undefined || isBefore(before.until, piece.from)) exposures.push(piece);
      else if (before.until !== null && !isBefore(piece.until, before.until)) {
        const { until, untilCause, lastVersion } = piece;
        exposures[exposures.length - 1] = { ...before, until, untilCause, lastVersion };
      }
    }
  }
  return exposures;
}

/**
 * The same matches, each since its CVEs are known. With these a walk answers since when a chain is affected by what
 * an advisory is about, whichever record said so before.
 */
export function sinceKnown<Span extends MatchSpan>(spans: readonly Span[]): readonly Span[] {
  return spans.map((span) => (span.knownAt < span.since ? { ...span, since: span.knownAt } : span));
}

/**
 * The exposure to what an advisory is about, whichever record said so before: of it, a given exposure is the part that began
 * as this advisory came to count. By the matches that had begun when it did, so that later ones do not change it. Null if it
 * continues none: it began on the host, or with something that was not known before.
 * @param spansOf as for exposuresOf
 */
export function continuedExposure(
  chain: VersionChain,
  { from, fromCause, firstVersion }: Exposure,
  spansOf: (version: PackageVersionId) => readonly MatchSpan[],
): Exposure | null {
  if (fromCause === 'package_changed' || fromCause === 'kernel_booted') return null;
  if (!spansOf(firstVersion).some((span) => isCarriedOver(span, from))) return null;
  const known = exposuresOf(chain, (version) =>
    sinceKnown(spansOf(version).filter(({ since }) => since <= from)),
  );
  return exposureAt(known, from.getTime()) ?? null;
}

/** Whether a match began at a time, and its CVEs are known for longer. */
export function isCarriedOver({ since, knownAt }: MatchSpan, at: Date): boolean {
  return since.getTime() === at.getTime() && knownAt < since;
}

/** The exposure at a time, in milliseconds; at an infinite one: the one that goes on. */
export function exposureAt(exposures: readonly Exposure[], at: number): Exposure | undefined {
  return exposures.find(
    ({ from, until }) => from.getTime() <= at && (until === null || at < until.getTime()),
  );
}

function inOrder(spans: readonly MatchSpan[]): readonly MatchSpan[] {
  return spans.length < 2 ? spans : spans.toSorted((a, b) => a.since.getTime() - b.since.getTime());
}

/** The time that a stay and a match have in common; null if none. */
function common(stay: Stay, span: MatchSpan, hostCause: HostCause): Exposure | null {
  const arrivesLast = span.since <= stay.from;
  const leavesFirst = stay.until !== null && (span.until === null || stay.until <= span.until);
  const from = arrivesLast ? stay.from : span.since;
  const until = leavesFirst ? stay.until : span.until;
  if (until !== null && until <= from) return null;
  return {
    from,
    fromCause: arrivesLast ? arrivalCause(stay, hostCause) : span.sinceCause,
    until,
    untilCause: leavesFirst ? departureCause(stay, hostCause) : span.untilCause,
    firstVersion: stay.versionId,
    lastVersion: stay.versionId,
  };
}

function arrivalCause({ restates, causes }: Stay, hostCause: HostCause): ChangeCause {
  return restates === true ? 'rules_changed' : (causes?.from ?? hostCause);
}

function departureCause({ isRestated, causes }: Stay, hostCause: HostCause): ChangeCause {
  return isRestated === true ? 'rules_changed' : (causes?.until ?? hostCause);
}

/** Whether an end is before a time; null: never ends. */
function isBefore(end: Date | null, time: Date | null): boolean {
  if (end === null) return false;
  return time === null || end < time;
}

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

/** An exposure by an advisory. */
interface OfAdvisory {
  readonly advisory: AdvisoryKey;
  readonly exposure: Exposure;
}

/** The exposures of a chain by one advisory, by what was known. */
interface KnownExposures {
  /** When what is known of the time before changed, in order. */
  readonly carried: readonly number[];
  readonly byTime: Map<number, readonly Exposure[]>;
}

/**
 * Answers what becomes of exposures where a chain goes on with the same build and only what else is stored of it differs: the line
 * that the host follows, the module stream, the vendor. Then nothing changed on the host, but other advisories can count.
 */
export class SameBuilds {
  readonly #chain: VersionChain;
  readonly #known: KnownOfVersions;
  readonly #opened = new Map<string, Opened>();
  /** The stays that began, and that ended, while the build stayed; by time. */
  readonly #begun = new Map<number, number>();
  readonly #ended = new Map<number, number>();
  /** By stay: the one before it of the same build and of a version that can be judged; -1: none. */
  readonly #judgedBefore: number[] = [];
  readonly #exposures = new Map<AdvisoryKey, KnownExposures>();
  readonly #starts = new Map<Start, Start>();

  constructor(chain: VersionChain, known: KnownOfVersions) {
    this.#chain = chain;
    this.#known = known;
    for (const [index, { from, until, restates, isRestated }] of chain.stays.entries()) {
      const began = from.getTime();
      if (restates === true && !this.#begun.has(began)) this.#begun.set(began, index);
      const ended = until?.getTime();
      if (isRestated === true && ended !== undefined && !this.#ended.has(ended))
        this.#ended.set(ended, index);
      const before = chain.stays[index - 1];
      const follows = restates === true && before?.isRestated === true;
      const isJudged = follows && known.isJudged(before.versionId);
      this.#judgedBefore.push(isJudged ? index - 1 : follows ? (this.#judgedBefore[index - 1] ?? -1) : -1);
    }
  }

  /** The causes of an exposure: `source_changed` where all its CVEs were open before or are still open by other advisories. */
  causesOf(
    advisory: AdvisoryKey,
    { from, fromCause, until, untilCause }: Exposure,
  ): { readonly fromCause: ChangeCause; readonly untilCause: ChangeCause | null } {
    const { stays } = this.#chain;
    const first = this.#begun.get(from.getTime()) ?? -1;
    const last = until === null ? -1 : (this.#ended.get(until.getTime()) ?? -1);
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
    const continued = this.#continuedBy(advisory, exposure);
    this.#findStarts(continued.flat());
    return this.#latestOf(continued) ?? exposure;
  }

  /** Finds the starts of some exposures, and before these of those that they continue: without recursion, as a host can have thousands. */
  #findStarts(wanted: readonly OfAdvisory[]): void {
    const open: { readonly one: OfAdvisory; continued: readonly (readonly OfAdvisory[])[] | null }[] =
      wanted.map((one) => ({ one, continued: null }));
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { advisory, exposure } = last.one;
      if (this.#starts.has(exposure)) open.pop();
      else if (last.continued === null) {
        last.continued = this.#continuedBy(advisory, exposure);
        for (const one of last.continued.flat())
          if (!this.#starts.has(one.exposure)) open.push({ one, continued: null });
      } else {
        this.#starts.set(exposure, this.#latestOf(last.continued) ?? exposure);
        open.pop();
      }
    }
  }

  /** For each CVE of an exposure, the exposures to it that it continues at the same build; empty if it continues nothing. */
  #continuedBy(advisory: AdvisoryKey, { from }: Start): readonly (readonly OfAdvisory[])[] {
    const { stays } = this.#chain;
    const index = this.#begun.get(from.getTime()) ?? -1;
    const stay = stays[index];
    const before = stays[this.#judgedBefore[index] ?? -1];
    if (stay === undefined || before?.until == null) return [];
    const cves = this.#openedAt(stay.versionId, stay.from).cvesOf.get(advisory) ?? [];
    const end = justBefore(before.until);
    const { advisoriesOf } = this.#openedAt(before.versionId, end);
    const continued = cves.map((cve) =>
      (advisoriesOf.get(cve) ?? []).flatMap((other) => {
        const exposure = this.#exposureAt(other, end.getTime());
        return exposure === undefined ? [] : [{ advisory: other, exposure }];
      }),
    );
    return continued.some((ofCve) => ofCve.length === 0) ? [] : continued;
  }

  /** When the last of some CVEs came to be known, each by the first of its exposures; their starts are found. */
  #latestOf(continued: readonly (readonly OfAdvisory[])[]): Start | null {
    let latest: Start | null = null;
    for (const ofCve of continued) {
      let earliest: Start | null = null;
      for (const { exposure } of ofCve) {
        const start = this.#starts.get(exposure) ?? exposure;
        if (earliest === null || start.from < earliest.from) earliest = start;
      }
      if (earliest !== null && (latest === null || earliest.from > latest.from)) latest = earliest;
    }
    return latest;
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

  /** The exposure at a time, by what was known up to then; its end can be a later one. */
  #exposureAt(advisory: AdvisoryKey, at: number): Exposure | undefined {
    const known = this.#exposures.get(advisory) ?? {
      carried: this.#carriedTimes(advisory),
      byTime: new Map<number, readonly Exposure[]>(),
    };
    this.#exposures.set(advisory, known);
    // Only matches whose CVEs were known before say something of the time before them: what is known changes as these begin.
    const time = known.carried.findLast((since) => since <= at) ?? Number.NEGATIVE_INFINITY;
    const exposures = known.byTime.get(time) ?? this.#exposuresKnownAt(advisory, time);
    known.byTime.set(time, exposures);
    let low = 0;
    for (let high = exposures.length; low < high; ) {
      const middle = (low + high) >> 1;
      const from = exposures[middle]?.from.getTime();
      if (from !== undefined && from <= at) low = middle + 1;
      else high = middle;
    }
    const found = exposures[low - 1];
    return found === undefined ? undefined : exposureAt([found], at);
  }

  /** When matches began whose CVEs were known before, in order. */
  #carriedTimes(advisory: AdvisoryKey): readonly number[] {
    const versions = new Set(this.#chain.stays.map(({ versionId }) => versionId));
    const times = new Set<number>();
    for (const version of versions)
      for (const { since, knownAt } of this.#known.spansOf(version, advisory))
        if (knownAt < since) times.add(since.getTime());
    return [...times].sort((a, b) => a - b);
  }

  /** The exposures by one advisory, with no match carried over that began after a time. */
  #exposuresKnownAt(advisory: AdvisoryKey, time: number): readonly Exposure[] {
    const { kind, stays } = this.#chain;
    const spansOf = (version: PackageVersionId) => this.#known.spansOf(version, advisory);
    const exposures: Exposure[] = [];
    for (let first = 0, end = 0; end <= stays.length; end += 1) {
      const stay = stays[end];
      if (stay !== undefined && spansOf(stay.versionId).length > 0) continue;
      const run = exposuresOf({ kind, stays: stays.slice(first, end) }, (version) =>
        sinceKnown(
          spansOf(version).filter(({ since, knownAt }) => knownAt >= since || since.getTime() <= time),
        ),
      );
      for (const exposure of run) exposures.push(exposure);
      first = end + 1;
    }
    return exposures;
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

/** The last moment before a time; times are in whole milliseconds. */
function justBefore(time: Date): Date {
  return new Date(time.getTime() - 1);
}
