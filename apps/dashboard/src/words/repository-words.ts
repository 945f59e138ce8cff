import type { HostRepository } from '@plimsoll/contract';
import type { Word } from './host-words.ts';

/** Whether a host's copy of a repository is as new as the newest known one. */
export const repositoryWords: Readonly<Record<HostRepository['state'], Word>> = {
  current: { words: 'Current', tone: 'good', meaning: 'No newer copy is known, within the allowed days.' },
  outdated: {
    words: 'Outdated',
    tone: 'important',
    meaning: 'A newer copy is known, or the copy is past its own Valid-Until.',
  },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'Whether a newer copy exists is not known.' },
};
