import type { Upload } from '@plimsoll/contract';
import type { Word } from './host-words.ts';

/** The state of an upload. */
export const uploadWords: Readonly<Record<Upload['state'], Word>> = {
  received: {
    words: 'Received',
    tone: 'neutral',
    meaning:
      'Stored. Waiting to be parsed. Reports of hosts that are not approved are parsed last, and may wait for the approval. Those of a host that its registration token approved may wait for up to a day after it enrolled.',
  },
  parsed: { words: 'Parsed', tone: 'low', meaning: 'Parsed. Waiting to be matched with advisories.' },
  matched: { words: 'Done', tone: 'good', meaning: 'Parsed and matched with advisories.' },
  rejected: {
    words: 'Rejected',
    tone: 'critical',
    meaning: 'It was refused or could not be parsed. Nothing was changed.',
  },
  superseded: {
    words: 'Superseded',
    tone: 'neutral',
    meaning:
      'A newer upload of the host came before it was matched. The history of the host has what it says if it was parsed.',
  },
};
