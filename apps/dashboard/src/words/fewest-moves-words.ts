import type { FewestMovesAnswer } from '@plimsoll/contract';
import { amountInWords, groupedNumber } from '../design/number-words.ts';

/** The numbers of the fewest moves that words need. */
type Found = Pick<
  FewestMovesAnswer,
  'basis' | 'target_of' | 'findings' | 'closable' | 'closed' | 'at_least'
> & {
  readonly moves: readonly unknown[];
};

/** What the fewest moves of a plan close, and whether fewer could. `share`: what they were to close, 0 to 1. */
export function fewestMovesInWords(found: Found, share: number): string {
  if (found.findings === 0) return 'No finding with a fix is known on these hosts.';
  const fallback = fallbackWords[found.basis];
  if (found.closable === 0) return `${noneClosable(found)} ${fallback}`.trimEnd();
  const count = found.moves.length;
  const moves = amountInWords(count, 'move closes', 'moves close');
  const closed = `${moves} ${closedInWords(found, `${groupedNumber(Math.round(share * 100))} %`)}.`;
  return [closed, proofInWords(count, found.at_least), fallback].filter((part) => part !== '').join(' ');
}

function noneClosable({ findings, basis }: Found): string {
  const how = 'by an upgrade or a reboot of this plan.';
  return findings === 1
    ? `The only finding ${kindOf(basis, 1)} cannot be closed ${how}`
    : `None of the ${findingsInWords(findings, basis)} can be closed ${how}`;
}

function closedInWords({ target_of, findings, closable, closed, basis }: Found, percent: string): string {
  if (target_of === 'all')
    return closed < findings
      ? `${groupedNumber(closed)} of ${findingsInWords(findings, basis)}, at least ${percent}`
      : allInWords(findings, basis);
  const reachable =
    closed < closable
      ? `${groupedNumber(closed)} of the ${findingsInWords(closable, basis)} that can be closed, at least ${percent} of them`
      : `${allInWords(closable, basis)} that can be closed`;
  return `${reachable}; ${percent} of all ${groupedNumber(findings)} cannot be reached`;
}

function allInWords(count: number, basis: Found['basis']): string {
  return count === 1 ? `the only finding ${kindOf(basis, 1)}` : `all ${findingsInWords(count, basis)}`;
}

/** Nothing for one move, because none closes nothing. */
function proofInWords(count: number, least: number): string {
  if (count === 1) return '';
  return least === count
    ? 'No smaller number of moves does.'
    : `At least ${amountInWords(least, 'move is', 'moves are')} needed.`;
}

function findingsInWords(count: number, basis: Found['basis']): string {
  return `${amountInWords(count, 'finding', 'findings')} ${kindOf(basis, count)}`;
}

function kindOf(basis: Found['basis'], count: number): string {
  if (basis === 'overdue') return count === 1 ? 'past its due date' : 'past their due date';
  return basis === 'due' ? 'with a due date' : 'with a fix';
}

const fallbackWords: Readonly<Record<Found['basis'], string>> = {
  overdue: '',
  due: 'No finding with a fix is past its due date, so all with a due date count.',
  with_fix: 'No finding with a fix has a due date, so all with a fix count.',
};

/** How many of the findings that a move closes are critical or known to be exploited, as the end of a sentence. */
export function urgentInWords(urgent: number, all: number): string {
  if (urgent === 0) return '';
  if (urgent < all) return `, ${groupedNumber(urgent)} of them urgent`;
  return all === 1 ? ', which is urgent' : ', all of them urgent';
}
