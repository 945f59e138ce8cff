import type { HostDetail } from '@plimsoll/contract';
import { amountInWords } from '../design/number-words.ts';

/** What is known of how often a host installs updates. */
export function rhythmInWords({
  state,
  reason,
  rounds,
  median_days,
  longest_days,
}: HostDetail['patch_rhythm']): string {
  if (reason === 'not_enough_history')
    return `Not enough history to say how often: ${amountInWords(rounds, 'round', 'rounds')} of updates in the last year.`;
  const usual = `usually every ${daysInWords(median_days)}, at most ${daysInWords(longest_days)} apart`;
  switch (state) {
    case 'regular':
      return `As usual: ${usual}.`;
    case 'stopped':
      return `Stopped: ${usual}.`;
    case 'nothing_to_install':
      return `Longer ago than usual (${usual}), but no update waits.`;
    case 'unknown':
      return `Whether it goes on is not known without a recent report: ${usual}.`;
    default:
      return state satisfies never;
  }
}

function daysInWords(days: number | null): string {
  return days === null ? 'an unknown number of days' : amountInWords(Math.round(days * 2) / 2, 'day', 'days');
}
