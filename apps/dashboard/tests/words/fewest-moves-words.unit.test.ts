import { fewestMovesInWords, urgentInWords } from '../../src/words/fewest-moves-words.ts';

type Found = Parameters<typeof fewestMovesInWords>[0];

/** Moves that close `closed` of the `closable` among all `findings` past their due dates. */
const found = (findings: number, closable: number, closed: number, more: Partial<Found> = {}): Found => ({
  basis: 'overdue',
  target_of: closable < findings ? 'closable' : 'all',
  findings,
  closable,
  closed,
  moves: [1, 2],
  at_least: 2,
  ...more,
});
const one = { moves: [1], at_least: 1 };

describe('the fewest moves in words', () => {
  it.each<[string, Found, string]>([
    ['nothing', found(0, 0, 0, { moves: [] }), 'No finding with a fix is known on these hosts.'],
    ['the only finding', found(1, 1, 1, one), '1 move closes the only finding past its due date.'],
    [
      'all of them',
      found(3, 3, 3),
      '2 moves close all 3 findings past their due date. No smaller number of moves does.',
    ],
    ['all of them at once', found(3, 3, 3, one), '1 move closes all 3 findings past their due date.'],
    [
      'a share',
      found(1_000, 1_000, 801, { at_least: 1 }),
      '2 moves close 801 of 1,000 findings past their due date, at least 80 %. At least 1 move is needed.',
    ],
    [
      'the only one that can be closed',
      found(5, 1, 1, one),
      '1 move closes the only finding past its due date that can be closed; 80 % of all 5 cannot be reached.',
    ],
    [
      'all that can be closed',
      found(10, 4, 4),
      '2 moves close all 4 findings past their due date that can be closed; 80 % of all 10 cannot be reached. No smaller number of moves does.',
    ],
    [
      'a share of those',
      found(10, 5, 4),
      '2 moves close 4 of the 5 findings past their due date that can be closed, at least 80 % of them; 80 % of all 10 cannot be reached. No smaller number of moves does.',
    ],
    [
      'none of one',
      found(1, 0, 0, { moves: [] }),
      'The only finding past its due date cannot be closed by an upgrade or a reboot of this plan.',
    ],
    [
      'none of several',
      found(2, 0, 0, { moves: [], basis: 'with_fix' }),
      'None of the 2 findings with a fix can be closed by an upgrade or a reboot of this plan. No finding with a fix has a due date, so all with a fix count.',
    ],
  ])('say what they close: %s', (_what, moves, words) => {
    expect(fewestMovesInWords(moves, 0.8)).toBe(words);
  });

  it.each([
    [0, 3, ''],
    [1, 3, ', 1 of them urgent'],
    [3, 3, ', all of them urgent'],
    [1, 1, ', which is urgent'],
  ])('say how many are urgent: %i of %i', (urgent, all, words) => {
    expect(urgentInWords(urgent, all)).toBe(words);
  });
});
