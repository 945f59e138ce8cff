import type { FewestMovesAnswer, PlannedHost, PlanProgressHost } from '@plimsoll/contract';
import { fixWords } from './finding-words.ts';
import type { Word } from './host-words.ts';

/** Whether a host has a plan. */
export const planStateWords: Readonly<Record<PlannedHost['state'], Word>> = {
  planned: { words: 'Planned', tone: 'low', meaning: 'Something is upgraded or rebooted.' },
  nothing_to_do: {
    words: 'Nothing to do',
    tone: 'good',
    meaning: 'The repositories of the host offer nothing newer, and it needs no reboot, as of its report.',
  },
  not_plannable: {
    words: 'Cannot be planned',
    tone: 'important',
    meaning: 'What is to be done is not known, or the plan does not allow it.',
  },
};

/** How far a host of a saved plan is. */
export const progressWords: Readonly<Record<PlanProgressHost['state'], Word>> = {
  done: { words: 'Done', tone: 'good', meaning: 'Everything planned is installed and closed.' },
  open: { words: 'Still open', tone: 'important', meaning: 'A part of the plan is not done.' },
  not_known: {
    words: 'Not known',
    tone: 'moderate',
    meaning: 'All that can be seen is done. Whether the planned reboot happened is not known.',
  },
  not_reported: {
    words: 'Not reported since',
    tone: 'moderate',
    meaning: 'The host has not reported since the plan was made: its progress is not known.',
  },
  nothing_planned: { words: 'Nothing to do', tone: 'neutral', meaning: 'The plan changes nothing on it.' },
  not_plannable: {
    words: 'Cannot be planned',
    tone: 'important',
    meaning:
      'What was to be done was not known when the plan was made, or the plan did not allow it: it changes nothing on the host.',
  },
};

/** What is in the way of the findings that no move closes. */
export function blockWords(reason: FewestMovesAnswer['blocked'][number]['reason']): string {
  switch (reason) {
    case 'unsafe_name':
      return 'Name or version is not valid';
    case 'no_reboot':
      return 'Needs a reboot, which this plan does not allow';
    case 'not_plannable':
      return 'On hosts that cannot be planned';
    default:
      return fixWords[reason].words;
  }
}
