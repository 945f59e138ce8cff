import { gaps } from '@plimsoll/model';
import { checkedInWords, isAllChecked } from '../../src/pages/advisories/checked-words.ts';
import { unjudgedReason } from '../../src/pages/advisories/unjudged-words.ts';

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
      'There is no approved host.',
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

it('a host that cannot be judged has the reason for this advisory: a current feed is not called incomplete', () => {
  const updated = { feed_updated_at: '2026-11-18T12:00:00.000Z' };
  expect(unjudgedReason({ reason: 'feed_outdated', ...updated })).toMatch(
    /^The feed for its release has data of 18 Nov 2026 .*may not know the advisory yet/,
  );
  expect(unjudgedReason({ reason: 'no_report', ...updated })).toMatch(/^No report processed yet/);
});
