import type { WaivedPackage } from '@plimsoll/advisories';
import type {
  AdvisoryKey,
  ChangeCause,
  ExposureCause,
  HostId,
  PackageVersionId,
  Severity,
} from '@plimsoll/model';
import {
  continuedExposure,
  type Exposure,
  exposuresOf,
  isCarriedOver,
  type KnownOfVersions,
  SameBuilds,
} from '../history/exposure-walk.ts';
import type { VersionChain } from '../history/version-chains.ts';
import type { HostTimeline } from './host-timeline.ts';
import type { MatchContent } from './match-contents.ts';
import type { Matches } from './matches.ts';
import type { Stated } from './past-fixes.ts';
import { type HostOffers, type Remediation, Remediations } from './remediation.ts';

/** A time span in which an advisory was a finding of a package of a host. Times on the host are those of snapshots. */
export interface HostExposure extends Remediation {
  readonly hostId: HostId;
  /** The name of the package; of kernels the last one. */
  readonly packageName: string;
  /** The last of its package versions, as waivers see it; null: it is gone. */
  readonly waivedPackage: WaivedPackage | null;
  /** The id that its vendor gives it. */
  readonly advisoryId: string;
  /** The CVEs that were open on it, as is known last: before a change of the advisory it could be others. */
  readonly cves: readonly string[];
  /** As is known last. */
  readonly severity: Severity;
  /** The source package of the last version. */
  readonly sourceName: string;
  /** The number of the statement that affected it last. */
  readonly statementId: number;
  /** The version with the fix, if the advisory names one. */
  readonly fixedVersion: string | null;
  /** Whether the advisory names a version with the fix, as is known last. */
  readonly hasFix: boolean;
  /** The statements that affected it, the last one included, by the times in which they did. */
  readonly stated: readonly Stated[];
  /** Since when the host has, or had, the build of the last version of the exposure. */
  readonly installedSince: Date;
  readonly from: Date;
  readonly fromCause: ExposureCause;
  /** Null: it goes on. */
  readonly until: Date | null;
  readonly untilCause: ExposureCause | null;
  /** When its vendor published the advisory. */
  readonly publishedAt: Date | null;
  /** Since when the affected versions are known here. */
  readonly knownAt: Date;
  /** The package's versions on the host. Exposures of one chain have the same object. */
  readonly chain: VersionChain;
  /** Which exposures about the same CVEs it continues, by advisories that counted before; null: none. */
  readonly continues: ContinuedExposures | null;
  /** A text that orders the host's exposures that began together; unique among these. */
  readonly place: string;
}

/** Exposures that ended as another one began that goes on about the same CVEs. See continuedExposure. */
export interface ContinuedExposures {
  /** When the first of them began. */
  readonly from: Date;
  readonly fromCause: ChangeCause;
  /** The matches with which it goes on, each the first of a statement. */
  readonly begun: readonly MatchContent[];
}

/** Which exposures to answer. */
export interface ExposureFilter {
  /** Exposures that went on after this time. */
  readonly from: Date | null;
  /** Exposures that began before this time. */
  readonly to: Date | null;
  /** Null: all but `none`. `any`: all. */
  readonly severity: Severity | 'any' | null;
  /** Whether they go on; null: both. */
  readonly open: boolean | null;
}

/** An exposure on a chain of a host, with what is known about it. */
export interface FoundExposure {
  readonly chain: VersionChain;
  readonly exposure: Exposure;
  /** The last match that is part of it. */
  readonly content: MatchContent;
  /** Since when the first of its versions is known to be affected. */
  readonly knownAt: Date;
}

/** The exposures of chains that pass a filter, in no order. @param matches every match of the versions that count. */
export function findExposures(
  judged: readonly VersionChain[],
  { matches, filter }: { readonly matches: Matches; readonly filter: ExposureFilter },
): readonly FoundExposure[] {
  // With loops and few objects: a fleet has a hundred million exposures, and all are counted again and again.
  const found: FoundExposure[] = [];
  for (const chain of judged) {
    for (const advisory of matches.advisoriesOf(chain.stays.map(({ versionId }) => versionId))) {
      const spansOf = (versionId: PackageVersionId) => matches.spansOf(versionId, advisory);
      for (const exposure of exposuresOf(chain, spansOf)) {
        const content = contentOf(exposure, spansOf(exposure.lastVersion));
        if (content === null || !passes(exposure, content, filter)) continue;
        found.push({
          chain,
          exposure,
          content,
          knownAt: firstKnown(chain, exposure, spansOf) ?? content.knownAt,
        });
      }
    }
  }
  return found;
}

/** Answers found exposures of one host, in their order. @param matches as for findExposures. */
export function answerExposures(
  found: readonly FoundExposure[],
  { timeline, offers, matches }: AnsweredHost,
): readonly HostExposure[] {
  const remediations = new Remediations(
    timeline,
    offers,
    (versionId, { advisory }) => matches.spansOf(versionId, advisory).length > 0,
  );
  const builds = new Map<VersionChain, SameBuilds>();
  const buildsOf = (chain: VersionChain) => {
    const known = builds.get(chain) ?? new SameBuilds(chain, knownOf(timeline, matches));
    builds.set(chain, known);
    return known;
  };
  return found.map((one) => answerOf(one, { timeline, matches, remediations, buildsOf }));
}

function knownOf({ versions }: HostTimeline, matches: Matches): KnownOfVersions {
  return {
    spansOf: (versionId, advisory) => matches.spansOf(versionId, advisory),
    openAt: (versionId, at) => matches.openAt(versionId, at),
    isJudged: (versionId) => versions.get(versionId)?.verdict.kind === 'comparable',
  };
}

interface AnsweredHost {
  readonly timeline: HostTimeline;
  readonly offers: HostOffers;
  readonly matches: Matches;
}

/** The last match that is part of an exposure. */
function contentOf({ until }: Exposure, spans: readonly MatchContent[]): MatchContent | null {
  let last: MatchContent | null = null;
  for (const span of spans) {
    if (until !== null && span.since >= until) continue;
    if (last === null || span.since > last.since) last = span;
  }
  return last;
}

/** When the first of the versions of an exposure was known to be affected. */
function firstKnown(
  { stays }: VersionChain,
  exposure: Exposure,
  spansOf: (version: PackageVersionId) => readonly MatchContent[],
): Date | null {
  let first: Date | null = null;
  for (const stay of stays) {
    if (!overlaps(stay.from, stay.until, exposure)) continue;
    for (const span of spansOf(stay.versionId)) {
      if (!overlaps(span.since, span.until, exposure)) continue;
      if (first === null || span.knownAt < first) first = span.knownAt;
    }
  }
  return first;
}

function overlaps(since: Date, end: Date | null, { from, until }: Exposure): boolean {
  return (end === null || end > from) && (until === null || since < until);
}

function passes({ from, until }: Exposure, content: MatchContent, filter: ExposureFilter): boolean {
  if (!isWanted(content.severity, filter.severity)) return false;
  if (filter.open !== null && (until === null) !== filter.open) return false;
  return (
    (filter.from === null || until === null || until > filter.from) &&
    (filter.to === null || from < filter.to)
  );
}

function isWanted(severity: Severity, wanted: ExposureFilter['severity']): boolean {
  if (wanted === 'any') return true;
  return wanted === null ? severity !== 'none' : severity === wanted;
}

function answerOf(
  { chain, exposure, content, knownAt }: FoundExposure,
  {
    timeline: { hostId, firstSnapshotAt, versions },
    matches,
    remediations,
    buildsOf,
  }: Pick<AnsweredHost, 'timeline' | 'matches'> & {
    readonly remediations: Remediations;
    buildsOf(chain: VersionChain): SameBuilds;
  },
): HostExposure {
  const { externalId, advisory, fixedVersion } = content;
  const { from, until, lastVersion } = exposure;
  const builds = chain.stays.some(({ restates }) => restates) ? buildsOf(chain) : null;
  const { fromCause, untilCause } = builds?.causesOf(advisory, exposure) ?? exposure;
  const isOfHost = fromCause === 'package_changed' || fromCause === 'kernel_booted';
  const version = versions.get(lastVersion) ?? null;
  const name = version?.name ?? '';
  const { offeredAt, installedAt, runningAt } = remediations.of(chain, exposure, content);
  // Named one by one, because a host has thousands of exposures, and copying objects took most of their time.
  return {
    hostId,
    packageName: name,
    sourceName: version?.sourceName ?? '',
    statementId: content.statementId,
    fixedVersion,
    waivedPackage: version,
    advisoryId: externalId,
    cves: content.cves,
    severity: content.severity,
    hasFix: fixedVersion !== null,
    from,
    fromCause: isOfHost && from.getTime() === firstSnapshotAt.getTime() ? 'first_snapshot' : fromCause,
    until,
    untilCause,
    publishedAt: content.publishedAt,
    place: placeOf(exposure, { externalId, name }),
    stated: statedIn(chain, exposure, (versionId) => matches.spansOf(versionId, advisory)),
    installedSince: installedSince(chain, exposure),
    knownAt,
    chain,
    continues: continuedBy({ chain, exposure, advisory, builds }, (versionId) =>
      matches.spansOf(versionId, advisory),
    ),
    offeredAt,
    installedAt,
    runningAt,
  };
}

/** What an exposure continues. @param spansOf as for exposuresOf */
function continuedBy(
  {
    chain,
    exposure,
    advisory,
    builds,
  }: {
    readonly chain: VersionChain;
    readonly exposure: Exposure;
    readonly advisory: AdvisoryKey;
    readonly builds: SameBuilds | null;
  },
  spansOf: (version: PackageVersionId) => readonly MatchContent[],
): ContinuedExposures | null {
  const { from, firstVersion } = exposure;
  const ofVersion = continuedExposure(chain, exposure, spansOf) ?? exposure;
  const whole = builds?.startOf(advisory, ofVersion) ?? ofVersion;
  if (whole === exposure) return null;
  const isCounted = ({ since, until }: MatchContent) => since <= from && (until === null || from < until);
  const isBegun = chain.stays.some(
    (stay) => stay.restates === true && stay.from.getTime() === from.getTime(),
  );
  const begun = spansOf(firstVersion).filter((span) =>
    isBegun ? isCounted(span) : isCarriedOver(span, from),
  );
  return { from: whole.from, fromCause: whole.fromCause, begun };
}

function statedIn(
  { stays }: VersionChain,
  exposure: Exposure,
  spansOf: (version: PackageVersionId) => readonly MatchContent[],
): readonly Stated[] {
  const from = exposure.from.getTime();
  const until = endOf(exposure);
  const found: Stated[] = [];
  for (const stay of stays) {
    const stayFrom = Math.max(from, stay.from.getTime());
    const stayUntil = Math.min(until, endOf(stay));
    if (stayFrom >= stayUntil) continue;
    for (const span of spansOf(stay.versionId)) {
      const spanFrom = Math.max(stayFrom, span.since.getTime());
      const spanUntil = Math.min(stayUntil, endOf(span));
      if (spanFrom >= spanUntil) continue;
      found.push({
        statementId: span.statementId,
        from: spanFrom,
        until: spanUntil,
        hasFix: span.fixedVersion !== null,
        cves: span.cves,
        isNarrowed: span.isNarrowed,
      });
    }
  }
  return found;
}

function endOf({ until }: { readonly until: Date | null }): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Since when a chain has the build of the last version of an exposure: before it, too. */
function installedSince({ stays }: VersionChain, { from, until, lastVersion }: Exposure): Date {
  let last = stays.findLastIndex(
    (stay) => stay.versionId === lastVersion && (until === null || stay.from < until),
  );
  while (last > 0 && stays[last]?.restates === true) last -= 1;
  return stays[last]?.from ?? from;
}

/** The place of an exposure among those of its host that began together. @param name of its last version. */
export function placeOf(
  { firstVersion }: Pick<Exposure, 'firstVersion'>,
  { externalId, name }: { readonly externalId: string; readonly name: string },
): string {
  return [name, externalId, firstVersion].join('\0');
}

/** The order of the exposures of a host: the newest first, then by package and advisory. */
export function newestFirst(a: HostExposure, b: HostExposure): number {
  return b.from.getTime() - a.from.getTime() || (a.place < b.place ? -1 : 1);
}
