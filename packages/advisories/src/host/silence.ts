import type { Gap } from '@plimsoll/model';

/** The facts that decide whether a missing statement means that a host's packages are not affected. */
export interface SilenceFacts {
  /** The host's gaps, as in `host_state`. */
  readonly gaps: readonly Gap[];
  /** The age of the data of the release's feed; null: never read. */
  readonly feedUpdatedAt: Date | null;
  /** Publication time of the advisory or CVE; null if no feed states it. */
  readonly publishedAt: Date | null;
  /**
   * Whether a feed that lists fixes names the advisory or CVE for the host's release, so that the vendor has judged it.
   * A feed of unfixed packages alone does not show which packages have a fix.
   */
  readonly isNamed: boolean;
}

/**
 * Why a missing statement about a host's packages does not mean "not affected"; null if it does: a feed covers the
 * release, is at least as new as the advisory, and either names it for the release or also states unfixed
 * vulnerabilities. An advisory without a publication time counts as newer than every feed that does not name it.
 * Returns the most fundamental gap.
 */
export function gapOfSilence({ gaps, feedUpdatedAt, publishedAt, isNamed }: SilenceFacts): Gap | null {
  const first = (['no_report', 'no_feed', 'feed_never_synced', 'release_eol'] as const).find((gap) =>
    gaps.includes(gap),
  );
  if (first !== undefined) return first;
  const isOlder = feedUpdatedAt === null || publishedAt === null || feedUpdatedAt < publishedAt;
  if (!isNamed && isOlder) return 'feed_outdated';
  if (!isNamed && gaps.includes('feed_lists_fixes_only')) return 'feed_lists_fixes_only';
  return gaps.includes('report_outdated') ? 'report_outdated' : null;
}
