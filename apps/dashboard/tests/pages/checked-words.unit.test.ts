import { gaps } from '@plimsoll/model';
import { checkedInWords, isAllChecked } from '../../src/pages/advisories/checked-words.ts';

type Fleet = Parameters<typeof isAllChecked>[0];

const noGaps = Object.fromEntries(gaps.map((gap) => [gap, 0])) as Fleet['by_gap']; // every gap is a key
const fleet = (hosts: number, some: Partial<Fleet['by_gap']> = {}): Fleet => ({
  hosts,
  by_gap: { ...noGaps, ...some },
});

describe('an empty list of hosts of an advisory', () => {
  it('is calm only if there are hosts, and all of them were checked completely', () => {
    const all = 'Every approved host that it could concern was checked.';
    expect([isAllChecked(fleet(3)), checkedInWords(fleet(3), 0)]).toEqual([true, all]);
    const others: readonly Fleet[] = [
      fleet(0),
      fleet(3, { no_report: 1 }),
      fleet(3, { packages_unchecked: 2 }),
    ];
    expect(others.map(isAllChecked)).toEqual([false, false, false]);
    expect(others.map((each) => checkedInWords(each, 0))).toEqual([
      'No host is approved.',
      'Without a processed report: 1 host.',
      'With packages that cannot be checked: 2 hosts.',
    ]);
  });

  it('names the hosts that cannot be checked first', () => {
    expect(checkedInWords(fleet(3), 2)).toBe(
      '2 hosts cannot be checked for this advisory, or not completely.',
    );
  });
});
