/**
 * Why what is shown of a host may be less than the truth (HTTP contract, `gaps`), sorted. The position of a word is its
 * bit in `host_overview.gaps`, so new words go to the end of `gapBits`, never between.
 */
export const gapBits = [
  'no_report',
  'report_outdated',
  'no_feed',
  'feed_never_synced',
  'feed_outdated',
  'feed_lists_fixes_only',
  'release_eol',
  'package_lists_unknown',
  'package_lists_outdated',
  'repository_outdated',
  'repositories_unknown',
  'packages_unchecked',
  'reboot_unknown',
  'restart_unknown',
] as const;

/** One of `gapBits`. */
export type Gap = (typeof gapBits)[number];

/** All gaps in the order in which they are listed. */
export const gaps: readonly Gap[] = [...gapBits].sort();

/** Gaps beside which nothing to do is still known to be nothing: they turn no action into `unknown`. */
export const exemptGaps = [
  'feed_lists_fixes_only',
  'packages_unchecked',
  'reboot_unknown',
  'repositories_unknown',
  'restart_unknown',
] as const satisfies readonly Gap[];

/** Gaps with which the number of a host's findings is a lower bound, and zero is not known. */
export const findingGaps = [
  'feed_never_synced',
  'feed_outdated',
  'no_feed',
  'no_report',
  'packages_unchecked',
  'release_eol',
  'report_outdated',
] as const satisfies readonly Gap[];

/** Gaps with which the number of a host's updates is not known. */
export const updateGaps = [
  'no_report',
  'package_lists_outdated',
  'package_lists_unknown',
  'report_outdated',
  'repository_outdated',
] as const satisfies readonly Gap[];

/** The gaps whose bits are set, sorted. */
export function gapsOfBits(bits: number): readonly Gap[] {
  return gaps.filter((gap) => (bits & bitsOfGaps([gap])) !== 0);
}

/** The bits of some gaps. */
export function bitsOfGaps(some: readonly Gap[]): number {
  return some.reduce((bits, gap) => bits | (1 << gapBits.indexOf(gap)), 0);
}
