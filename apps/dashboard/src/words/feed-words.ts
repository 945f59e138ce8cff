import type { Feed, Import, ImportFormat } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';
import type { Word } from './host-words.ts';

/** What is said of a feed wherever it is shown. */
type Shown = Pick<Feed, 'freshness' | 'stale_after_seconds' | 'import_only'> & {
  readonly needed_by_hosts: number;
};

/** How the data of a feed stands; the same words on every page. */
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

/** What is said beside that of a feed whose last sync did not work. */
export const failedSyncWord: Word = {
  words: 'Sync failed',
  tone: 'critical',
  meaning: 'The last sync did not work. What was taken over before still counts.',
};

/** Seconds as whole days, or hours where they are less than two days. */
function daysOf(seconds: number): string {
  const days = seconds / 86_400;
  return days < 2 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(days)} days`;
}

/** How far an import is. */
export const importWords: Readonly<
  Record<Import['status'], { readonly words: string; readonly tone: Tone }>
> = {
  queued: { words: 'Waiting', tone: 'neutral' },
  running: { words: 'Running', tone: 'low' },
  done: { words: 'Done', tone: 'good' },
  failed: { words: 'Failed', tone: 'critical' },
};

/** What a file of advisories can be; `auto`: what the file shows. */
export const formatOptions: readonly (readonly [ImportFormat | 'auto', string])[] = [
  ['auto', 'Recognise it by its content'],
  ['osv', 'OSV (zip, JSON, JSON Lines)'],
  ['updateinfo', 'updateinfo XML'],
  ['almalinux-errata', 'AlmaLinux errata'],
  ['rocky-errata', 'Rocky Linux errata'],
  ['redhat-cve', 'Red Hat CVEs'],
  ['kev', 'CISA known exploited (KEV)'],
  ['epss', 'EPSS scores'],
];
