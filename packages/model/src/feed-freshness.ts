/** Freshness of a feed's data: never imported, younger than the feed's threshold, or older. */
export const feedFreshnesses = ['never_synced', 'current', 'outdated'] as const;

/** One of `feedFreshnesses`. */
export type FeedFreshness = (typeof feedFreshnesses)[number];

/**
 * Freshness of a feed's data at `now`. `updatedAt`: when the stored data was last known to be complete; null: never.
 * API, metrics and command line use this rule; the view `host_overview` repeats it for hosts (`feed_outdated`).
 */
export function feedFreshness(
  { updatedAt, staleAfterSeconds }: { readonly updatedAt: Date | null; readonly staleAfterSeconds: number },
  now: Date,
): FeedFreshness {
  if (updatedAt === null) return 'never_synced';
  return now.getTime() - updatedAt.getTime() > staleAfterSeconds * 1000 ? 'outdated' : 'current';
}
