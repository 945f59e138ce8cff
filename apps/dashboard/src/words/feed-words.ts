import type { Feed, Import, ImportFormat } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';
import type { Word } from './host-words.ts';

/** An answer about hosts is worth less when what it rests on is older than this. */
const staleMs = 3 * 86_400_000;

/** How a feed stands. */
export function feedWord({ state, updated_at }: Pick<Feed, 'state' | 'updated_at'>): Word {
  if (state === 'failed')
    return {
      words: 'Failed',
      tone: 'critical',
      meaning: 'The last sync did not work. What was imported before still counts.',
    };
  if (updated_at === null)
    return {
      words: 'Empty',
      tone: 'neutral',
      meaning: 'Nothing was fetched or imported. Nothing is missing unless hosts need it.',
    };
  if (Date.now() - Date.parse(updated_at) > staleMs)
    return {
      words: 'Old',
      tone: 'moderate',
      meaning: 'Older than three days: newer advisories are missing.',
    };
  return { words: 'Up to date', tone: 'good', meaning: 'Newer than three days.' };
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
