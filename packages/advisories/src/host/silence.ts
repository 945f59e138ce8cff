import type { Gap } from '@plimsoll/model';

/** What decides whether nothing said about a host's packages means that they are not affected. */
export interface SilenceFacts {
  /** The host's, as `host_overview` has them. */
  readonly gaps: readonly Gap[];
  /** How new the data of the feed that speaks for the host's release is known to be; null: never read. */
  readonly feedUpdatedAt: Date | null;
  /** When the advisory or CVE was published; null where no feed says. */
  readonly publishedAt: Date | null;
  /** Whether a feed names the advisory or CVE for the host's release at all, so that its vendor has judged it. */
  readonly isNamed: boolean;
}

/**
 * Why silence about a host's packages does not mean "not affected"; null where it does: a feed speaks for the release,
 * is at least as new as the advisory, and either names it for the release or states what is unfixed, too. An advisory
 * without a publication time is taken as newer than every feed that does not name it. The most fundamental gap counts.
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
