import type { AdvisoryKey, ChangeCause, MatchCause, PackageVersionId } from '@plimsoll/model';
import type { Stay, VersionChain } from './version-chains.ts';

/** A time span in which an advisory was known to affect a package version. */
export interface MatchSpan {
  readonly advisory: AdvisoryKey;
  readonly since: Date;
  readonly sinceCause: MatchCause;
  /** Null: it still does. */
  readonly until: Date | null;
  /** Null if `until` is. */
  readonly untilCause: MatchCause | null;
  /** Since when the version is known, without a gap, to be affected by all CVEs of the advisory; see 0079. */
  readonly knownAt: Date;
}

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
  const hostCause = kind === 'booted' ? 'kernel_booted' : 'package_changed';
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
function common(stay: Stay, span: MatchSpan, hostCause: ChangeCause): Exposure | null {
  const arrivesLast = span.since <= stay.from;
  const leavesFirst = stay.until !== null && (span.until === null || stay.until <= span.until);
  const from = arrivesLast ? stay.from : span.since;
  const until = leavesFirst ? stay.until : span.until;
  if (until !== null && until <= from) return null;
  return {
    from,
    fromCause: arrivesLast ? (stay.restates === true ? 'rules_changed' : hostCause) : span.sinceCause,
    until,
    untilCause: leavesFirst ? (stay.isRestated === true ? 'rules_changed' : hostCause) : span.untilCause,
    firstVersion: stay.versionId,
    lastVersion: stay.versionId,
  };
}

/** Whether an end is before a time; null: never ends. */
function isBefore(end: Date | null, time: Date | null): boolean {
  if (end === null) return false;
  return time === null || end < time;
}
