import {
  encodeTagDay,
  hasTagOfEach,
  sumTagDay,
  tagsToCount,
} from '../src/judging/summary/tag-combinations.ts';

const rows = [
  { tags: [], numbers: { hosts: 5, findings: { critical: 1, low: 70_000 } } },
  { tags: ['db', 'web'], numbers: { hosts: 2, findings: { critical: 4, low: 0 } } },
  { tags: ['web'], numbers: { hosts: 3, findings: { critical: 2, low: 9 } } },
];

describe('the numbers of a day by tags', () => {
  it('are sums over the combinations with a tag of each list, each once', () => {
    const day = encodeTagDay(rows, true);
    expect(sumTagDay(day, [])).toEqual({ hosts: 10, findings: { critical: 7, low: 70_009 } });
    expect(sumTagDay(day, [['web', 'db']])).toEqual({ hosts: 5, findings: { critical: 6, low: 9 } });
    expect(sumTagDay(day, [['web'], ['db', 'other']])).toEqual(rows[1]?.numbers);
    expect(sumTagDay(day, [['other']])).toEqual({ hosts: 0, findings: { critical: 0, low: 0 } });
    expect(sumTagDay(day, [['web'], []])).toEqual({ hosts: 0, findings: { critical: 0, low: 0 } });
  });

  it('are unknown for tags by which hosts were not counted', () => {
    const day = encodeTagDay(rows, false);
    expect(sumTagDay(day, [['other', 'web']])).toBeNull();
    expect(sumTagDay(day, [['web']])).toEqual({ hosts: 5, findings: { critical: 6, low: 9 } });
  });
});

describe('the tags by which hosts are counted', () => {
  it('are all of them while combinations are few', () => {
    expect(tagsToCount([{ tags: ['b', 'a', 'b'], hosts: 1 }], 2)).toEqual({
      tags: ['a', 'b'],
      isComplete: true,
    });
  });

  it('are those of the most hosts otherwise', () => {
    const hosts = Array.from({ length: 100 }, (_, n) => ({
      tags: [n % 2 === 0 ? 'even' : 'odd', `host ${n}`],
      hosts: 1,
    }));
    expect(tagsToCount(hosts, 10)).toEqual({ tags: ['even', 'odd'], isComplete: false });
    expect(tagsToCount(hosts, 1)).toEqual({ tags: [], isComplete: false });
  });
});

it('a host needs a tag of each list', () => {
  expect(hasTagOfEach(['a', 'b'], [['a', 'x'], ['b']])).toBe(true);
  expect(hasTagOfEach(['a'], [['a'], ['b']])).toBe(false);
  expect(hasTagOfEach([], [])).toBe(true);
  expect(hasTagOfEach(['a'], [[]])).toBe(false);
});
