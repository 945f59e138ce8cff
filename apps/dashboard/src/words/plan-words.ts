import type { PlannedHost } from '@plimsoll/contract';
import { planStateWords, type Word } from '@plimsoll/words';
import { groupedNumber } from '../design/number-words.ts';
import { areUnfixedKnown } from './knowledge.ts';

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
