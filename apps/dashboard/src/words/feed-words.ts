import type { Feed } from '@plimsoll/contract';
import type { Word } from '@plimsoll/words';

/** The fields of a feed that its state depends on. */
type Shown = Pick<Feed, 'freshness' | 'stale_after_seconds' | 'import_only'> & {
  readonly needed_by_hosts: number;
};

/** State of a feed's data; the same words on every page. */
export function feedWord({ freshness, stale_after_seconds, import_only, needed_by_hosts }: Shown): Word {
  const threshold = daysOf(stale_after_seconds);
  if (freshness === 'current')
    return { words: 'Up to date', tone: 'good', meaning: `Its data is not older than ${threshold}.` };
  if (freshness === 'outdated')
    return {
      words: 'Outdated',
      tone: needed_by_hosts > 0 ? 'important' : 'neutral',
      meaning: `Its data is older than ${threshold}: newer advisories are missing.`,
    };
  if (needed_by_hosts === 0)
    return {
      words: 'Not needed by any host',
      tone: 'neutral',
      meaning: 'Nothing was fetched or imported, and no approved host needs it.',
    };
  return import_only
    ? { words: 'Manual import', tone: 'important', meaning: 'Hosts need it, and nothing was imported.' }
    : { words: 'Never synced', tone: 'important', meaning: 'Hosts need it, and nothing was fetched.' };
}

/** Added to the state of a feed whose last sync failed. */
export const failedSyncWord: Word = {
  words: 'Sync failed',
  tone: 'critical',
  meaning: 'The last sync did not work. What was taken over before still counts.',
};

/** Seconds in whole days; below two days in hours. */
function daysOf(seconds: number): string {
  const days = seconds / 86_400;
  return days < 2 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(days)} days`;
}
