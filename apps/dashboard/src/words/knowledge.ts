import type { Host, UnjudgedHost } from '@plimsoll/contract';
import type { CveStateReason, Gap } from '@plimsoll/model';
import { cveReasonWords, gapOrder, gapWords } from '@plimsoll/words';
import { groupedNumber } from '../design/number-words.ts';
import { dateInWords, spanInWords } from '../design/time/moment-words.ts';
import { systemInWords } from './system-words.ts';

/** The fields of a host that say how much is known about it. */
export type Known = Pick<
  Host,
  | 'gaps'
  | 'os_name'
  | 'os_version'
  | 'unknown_count'
  | 'feed_updated_at'
  | 'reported_at'
  | 'last_seen_at'
  | 'repository_error'
>;

/** With one of these gaps the number of findings is a lower bound, and zero is not known to be zero. */
export const blindingGaps: readonly Gap[] = [
  'no_report',
  'report_outdated',
  'no_feed',
  'feed_never_synced',
  'feed_outdated',
  'release_eol',
];

/** With one of these gaps the number of updates is a lower bound, and zero is not known to be zero. */
export const updateGaps: readonly Gap[] = [
  'no_report',
  'report_outdated',
  'package_lists_unknown',
  'package_lists_outdated',
  'repository_failing',
  'repository_outdated',
];

/** The gaps of a host that are in `some`; those that hide most come first. */
export function gapsAmong({ gaps }: Pick<Host, 'gaps'>, some: readonly Gap[] = gapOrder): readonly Gap[] {
  return gapOrder.filter((gap) => gaps.includes(gap) && some.includes(gap));
}

/** Whether zero findings with a fix is a known zero, apart from packages that cannot be checked. */
export function areFindingsKnown(host: Pick<Host, 'gaps'>): boolean {
  return gapsAmong(host, blindingGaps).length === 0;
}

/** Whether zero findings without a fix is a known zero. */
export function areUnfixedKnown(host: Pick<Host, 'gaps'>): boolean {
  return areFindingsKnown(host) && !host.gaps.includes('feed_lists_fixes_only');
}

/** Whether zero updates is a known zero. */
export function areUpdatesKnown(host: Pick<Host, 'gaps'>): boolean {
  return gapsAmong(host, updateGaps).length === 0;
}

/** A count; a zero that is not known to be zero is `?`. */
export function countInWords(count: number, isKnown: boolean): string {
  return count === 0 && !isKnown ? '?' : groupedNumber(count);
}

/** Number of findings that have a fix. */
export function fixableFindings(
  host: Pick<Host, 'critical_count' | 'important_count' | 'moderate_count' | 'low_count' | 'unrated_count'>,
): number {
  const { critical_count, important_count, moderate_count, low_count, unrated_count } = host;
  return critical_count + important_count + moderate_count + low_count + unrated_count;
}

/** The number of known findings without a fix, if no finding has a fix: `105 without a fix`; '' otherwise. */
export function unfixedOnlyInWords(
  host: Parameters<typeof fixableFindings>[0] & Pick<Host, 'unfixed_count'>,
): string {
  return fixableFindings(host) === 0 && host.unfixed_count > 0
    ? `${groupedNumber(host.unfixed_count)} without a fix`
    : '';
}

/**
 * Why data of a host is not known, as one phrase with the facts: `no advisory feed for rocky 9.1; …`; '' if it is
 * known.
 */
export function reasonsInWords(host: Known, some: readonly Gap[], now: number): string {
  return gapsAmong(host, some)
    .map((gap) => reasonOf(gap, host, now))
    .join('; ');
}

/** Why a host has a gap, as a phrase, with the facts where there are any. `now`: milliseconds. */
export function reasonOf(gap: Gap, host: Known, now: number): string {
  switch (gap) {
    case 'report_outdated':
      return `last report of ${agedDate(reportedAt(host), now)}`;
    case 'no_feed':
      return `no advisory feed for ${releaseInWords(host)}`;
    case 'feed_never_synced':
      return `the advisory feed for ${releaseInWords(host)} has no data yet`;
    case 'feed_outdated':
      return host.feed_updated_at === null
        ? gapWords.feed_outdated.phrase
        : `advisory data of ${agedDate(host.feed_updated_at, now)}`;
    case 'release_eol':
      return `${releaseInWords(host)} is out of standard support`;
    case 'repository_failing':
      return `a repository of the host fails: ${host.repository_error}`;
    case 'packages_unchecked':
      if (host.unknown_count === 0) return 'not every package of its report could be read';
      return `${groupedNumber(host.unknown_count)} installed ${host.unknown_count === 1 ? 'package' : 'packages'} cannot be checked`;
    default:
      return gapWords[gap].phrase;
  }
}

/** Time of the newest report; if there is none, the last contact with the host. */
export function reportedAt({
  reported_at,
  last_seen_at,
}: Pick<Host, 'reported_at' | 'last_seen_at'>): string {
  return reported_at ?? last_seen_at;
}

/** A date with its age: `18 Feb 2025 (21 months old)`. */
export function agedDate(at: string, now: number): string {
  const moment = new Date(at);
  return `${dateInWords(moment)} (${spanInWords(now - moment.getTime())} old)`;
}

/**
 * Why a host has its state under an advisory or a CVE, as a sentence. An outdated feed that does not name it can be too old to
 * know it. `now`: milliseconds.
 */
export function whyJudged(
  {
    reason,
    feed_updated_at: updatedAt,
  }: Pick<UnjudgedHost, 'feed_updated_at'> & { readonly reason: CveStateReason },
  what: 'advisory' | 'CVE',
  now: number,
): string {
  return reason === 'feed_outdated' && updatedAt !== null
    ? `The feed for its release has data of ${agedDate(updatedAt, now)} and may not know the ${what} yet, which is newer or has no date.`
    : cveReasonWords[reason].meaning;
}

/** Name of the host's release in a sentence: `Rocky Linux 9.1`. */
export function releaseInWords(host: Pick<Host, 'os_name' | 'os_version'>): string {
  return host.os_name === '' ? 'an unknown system' : systemInWords(host);
}

/** Turns a phrase into a sentence. */
export function sentence(phrase: string): string {
  return phrase === '' ? '' : `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}
