import type { FeedRow } from '@plimsoll/db';

/** Whether a feed has had data at any time. */
export function isEverSynced(feeds: readonly FeedRow[], id: string): boolean {
  return feeds.some((feed) => feed.id === id && feed.updatedAt !== null);
}
