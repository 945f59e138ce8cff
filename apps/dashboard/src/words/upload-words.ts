import type { Upload } from '@plimsoll/contract';
import type { Word } from './host-words.ts';

/** How far something got that a host sent. */
export const uploadWords: Readonly<Record<Upload['state'], Word>> = {
  received: { words: 'Received', tone: 'neutral', meaning: 'Stored; waits to be read.' },
  parsed: { words: 'Read', tone: 'low', meaning: 'Understood; waits to be matched with advisories.' },
  matched: { words: 'Done', tone: 'good', meaning: 'Read and matched with advisories.' },
  rejected: { words: 'Rejected', tone: 'critical', meaning: 'It could not be read, and changed nothing.' },
  superseded: { words: 'Superseded', tone: 'neutral', meaning: 'A newer one came before it was read.' },
};
