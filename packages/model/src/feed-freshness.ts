/** Freshness of a feed's data: never imported, younger than the feed's threshold, or older. */
export const feedFreshnesses = ['never_synced', 'current', 'outdated'] as const;

/** One of `feedFreshnesses`. */
export type FeedFreshness = (typeof feedFreshnesses)[number];

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Freshness of a feed's data at `now`. `updatedAt`: when the stored data was last known to be complete; null: never.
 * A time more than a day ahead was written by a wrong clock: nobody knows how old the data is, so that it counts as outdated.
 * The only rule in TypeScript. Statements repeat it in SQL: the coverage of
 * releases, and `isOutdated` of packages/db, which CISA KEV and the conditions of notifications are judged by.
 */
export function feedFreshness(
  { updatedAt, staleAfterSeconds }: { readonly updatedAt: Date | null; readonly staleAfterSeconds: number },
  now: Date,
): FeedFreshness {
  if (updatedAt === null) return 'never_synced';
  const age = now.getTime() - updatedAt.getTime();
  return age > staleAfterSeconds * 1000 || age < -dayMs ? 'outdated' : 'current';
}
