import { isOfWrongClock } from './clock-ahead.ts';

/** Freshness of a feed's data: never imported, younger than the feed's threshold, or older. */
export const feedFreshnesses = ['never_synced', 'current', 'outdated'] as const;

/** One of `feedFreshnesses`. */
export type FeedFreshness = (typeof feedFreshnesses)[number];

/**
 * Freshness of a feed's data at `now`. `updatedAt`: when the stored data was last known to be complete; null: never.
 * Data of a wrong clock is outdated.
 * The only rule in TypeScript. Statements repeat it in SQL: the coverage of
 * releases, and `isOutdated` of packages/db, which CISA KEV and the conditions of notifications are judged by.
 */
export function feedFreshness(
  { updatedAt, staleAfterSeconds }: { readonly updatedAt: Date | null; readonly staleAfterSeconds: number },
  now: Date,
): FeedFreshness {
  if (updatedAt === null) return 'never_synced';
  const isOld = now.getTime() - updatedAt.getTime() > staleAfterSeconds * 1000;
  return isOld || isOfWrongClock(updatedAt.getTime(), now.getTime()) ? 'outdated' : 'current';
}
