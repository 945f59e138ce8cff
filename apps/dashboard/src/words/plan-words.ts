import type { FewestMovesAnswer, PlannedHost, PlanProgressHost } from '@plimsoll/contract';
import { groupedNumber } from '../design/number-words.ts';
import { fixWords } from './finding-words.ts';
import type { Word } from './host-words.ts';
import { areUnfixedKnown } from './knowledge.ts';

const planStateWords: Readonly<Record<PlannedHost['state'], Word>> = {
  planned: { words: 'Planned', tone: 'low', meaning: 'Something is upgraded or rebooted.' },
  nothing_to_do: {
    words: 'Nothing to install',
    tone: 'good',
    meaning: 'There is nothing that this plan could install, and the host needs no reboot, as of its report.',
  },
  not_plannable: {
    words: 'Cannot be planned',
    tone: 'important',
    meaning: 'What is to be done is not known, or the plan does not allow it.',
  },
};

/**
 * Whether a host has a plan. A host with nothing to install is only well if no advisory stays open on it, and if this is
 * known.
 */
export function planStateWord(host: Pick<PlannedHost, 'state' | 'stays_open' | 'gaps'>): Word {
  const word = planStateWords[host.state];
  if (host.state !== 'nothing_to_do') return word;
  const limits = [
    ...(host.stays_open.length > 0 ? ['Advisories stay open on it.'] : []),
    ...(areUnfixedKnown(host) ? [] : ['Not all of its findings are known.']),
  ];
  if (limits.length === 0) return word;
  return {
    ...word,
    tone: host.stays_open.some(({ known_exploited }) => known_exploited > 0) ? 'important' : 'neutral',
    meaning: [word.meaning, ...limits].join(' '),
  };
}

/** A sum over the hosts of a plan, in which an advisory counts for each host. */
export function sumOverHosts(sum: number, hosts: number): string {
  return sum === 0 || hosts < 2 ? groupedNumber(sum) : `${groupedNumber(sum)}, summed over the hosts`;
}

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
  nothing_planned: {
    words: 'Nothing to install',
    tone: 'neutral',
    meaning: 'The plan changes nothing on it. Advisories may stay open.',
  },
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
