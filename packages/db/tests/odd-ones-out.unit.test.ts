import type { PackageVersionId } from '@plimsoll/model';
import fc from 'fast-check';
import { groupDifferences } from '../src/judging/summary/odd-ones-out.ts';

const ids = (...numbers: number[]) => numbers as PackageVersionId[];

it('tells nothing of fewer than five hosts', () => {
  expect(groupDifferences([{ ids: ids(1), hosts: 4 }])).toBeNull();
});

it('names what nine of ten hosts have and one lacks, and what it has alone', () => {
  const found = groupDifferences([
    { ids: ids(1, 2, 3), hosts: 9 },
    { ids: ids(1, 4), hosts: 1 },
  ]);
  expect(found?.differences).toEqual([
    { lacks: [], rare: [] },
    { lacks: [2, 3], rare: [4] },
  ]);
  expect(found?.common.get(2 as PackageVersionId)).toBe(9);
});

it('a version on eight of ten hosts is not common, and one on two of them not rare', () => {
  const found = groupDifferences([
    { ids: ids(1), hosts: 8 },
    { ids: ids(2), hosts: 2 },
  ]);
  expect(found?.differences).toEqual([
    { lacks: [], rare: [] },
    { lacks: [], rare: [] },
  ]);
});

it('equals the comparison host by host', () => {
  const set = fc.record({
    ids: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8]),
    hosts: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(set, { minLength: 1, maxLength: 6 }), (sets) => {
      const hosts = sets.flatMap(({ ids: own, hosts: count }) => Array.from({ length: count }, () => own));
      const found = groupDifferences(
        sets.map(({ ids: own, hosts: count }) => ({ ids: ids(...own), hosts: count })),
      );
      if (hosts.length < 5) return expect(found).toBeNull();
      const having = (id: number) => hosts.filter((own) => own.includes(id)).length;
      for (const [n, { ids: own }] of sets.entries()) {
        const lacks = [1, 2, 3, 4, 5, 6, 7, 8].filter(
          (id) => !own.includes(id) && having(id) * 10 >= hosts.length * 9,
        );
        const rare = own.filter((id) => having(id) * 10 <= hosts.length);
        expect(found?.differences[n]).toEqual({ lacks, rare });
      }
      return undefined;
    }),
  );
});
