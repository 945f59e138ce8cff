import type { Feed } from '@plimsoll/contract';
import type { FeedRow } from '@plimsoll/db';
import { type FeedFreshness, type FeedWayOut, wayOutSentence, waysOutOf } from '@plimsoll/model';

interface Standing {
  readonly feed: Pick<FeedRow, 'lastErrorCause' | 'nextSyncAt'>;
  readonly freshness: FeedFreshness;
  readonly neededByHosts: number;
  /** Whether it has an address. */
  readonly isFetched: boolean;
  readonly alternatives: readonly string[];
}

/** What an operator can do about a feed now: nothing where its last sync worked, and its data is current or not needed. */
export function waysOutNow(standing: Standing): Feed['ways_out'] {
  const { alternatives } = standing;
  return waysFor(standing).map((code) => {
    if (code !== 'other_feed') return { code, text: wayOutSentence(code) };
    return { code, text: `${alternatives.join(', ')} can speak for the same hosts: sync or import it.` };
  });
}

function waysFor({ feed, freshness, neededByHosts, isFetched, alternatives }: Standing): FeedWayOut[] {
  const other: FeedWayOut[] = alternatives.length > 0 ? ['other_feed'] : [];
  if (feed.lastErrorCause !== null) {
    // Nothing comes by itself where no sync is planned.
    const ways = waysOutOf(feed.lastErrorCause).map((way) =>
      way === 'wait' && feed.nextSyncAt === null ? 'sync' : way,
    );
    return ways.includes('import') ? [...ways, ...other] : [...ways];
  }
  if (freshness === 'current' || neededByHosts === 0) return [];
  return [...(isFetched ? (['sync', 'import'] as const) : (['import', 'mirror'] as const)), ...other];
}
