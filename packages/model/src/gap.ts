/**
 * Why the data shown for a host may be incomplete or wrong (HTTP contract, `gaps`), in bit order. A word's position is
 * its bit in `host_overview.gaps`: append new words at the end.
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

/** All gaps, sorted for output. */
export const gaps: readonly Gap[] = [...gapBits].sort();

/** Gaps that do not hide an action: they never turn `none` or `watch` into `unknown`. */
export const exemptGaps = [
  'feed_lists_fixes_only',
  'packages_unchecked',
  'reboot_unknown',
  'repositories_unknown',
  'restart_unknown',
] as const satisfies readonly Gap[];

/** Gaps that make the number of findings a lower bound: zero is then not known. */
export const findingGaps = [
  'feed_never_synced',
  'feed_outdated',
  'no_feed',
  'no_report',
  'packages_unchecked',
  'release_eol',
  'report_outdated',
] as const satisfies readonly Gap[];

/** Gaps that make the number of updates unknown. */
export const updateGaps = [
  'no_report',
  'package_lists_outdated',
  'package_lists_unknown',
  'report_outdated',
  'repository_outdated',
] as const satisfies readonly Gap[];

/** Returns the gaps whose bits are set, sorted. */
export function gapsOfBits(bits: number): readonly Gap[] {
  return gaps.filter((gap) => (bits & bitsOfGaps([gap])) !== 0);
}

/** Returns the bit mask of the given gaps. */
export function bitsOfGaps(some: readonly Gap[]): number {
  return some.reduce((bits, gap) => bits | (1 << gapBits.indexOf(gap)), 0);
}
