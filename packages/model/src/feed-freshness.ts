/** How a feed's data stands: nothing was ever taken over, it is younger than the feed's threshold, or older. */
export const feedFreshnesses = ['never_synced', 'current', 'outdated'] as const;

/** One of `feedFreshnesses`. */
export type FeedFreshness = (typeof feedFreshnesses)[number];

/**
 * How a feed's data stands at a moment. `updatedAt` is when the data was last known to be all there is; null: never. The one
 * rule for API, metrics and command line; the view `host_overview` says the same of hosts (`feed_outdated`).
 */
export function feedFreshness(
  { updatedAt, staleAfterSeconds }: { readonly updatedAt: Date | null; readonly staleAfterSeconds: number },
  now: Date,
): FeedFreshness {
  if (updatedAt === null) return 'never_synced';
  return now.getTime() - updatedAt.getTime() > staleAfterSeconds * 1000 ? 'outdated' : 'current';
}
