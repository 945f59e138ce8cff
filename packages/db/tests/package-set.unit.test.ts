import type { PackageVersionId } from '@plimsoll/model';
import fc from 'fast-check';
import { countDifferences, decodePackageSet, encodePackageSet } from '../src/ingest/package-set.ts';

const idsOf = (numbers: readonly number[]) => numbers as readonly PackageVersionId[]; // any number is an id here

describe('package set', () => {
  it('decodes to the distinct ids in ascending order, whatever order they were given in', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 })), (numbers) => {
        const { ids: bytes, size } = encodePackageSet(idsOf(numbers));
        const expected = [...new Set(numbers)].sort((a, b) => a - b);
        expect(decodePackageSet(bytes)).toEqual(expected);
        expect(size).toBe(expected.length);
      }),
    );
  });

  it('gives equal sets equal digests and other sets other digests', () => {
    const digest = (numbers: readonly number[]) => encodePackageSet(idsOf(numbers)).digest.toString('hex');
    expect(digest([3, 1, 2, 3])).toBe(digest([1, 2, 3]));
    expect(digest([1, 2])).not.toBe(digest([1, 3]));
    expect(digest([])).not.toBe(digest([1]));
  });

  it('differs from other ids in those that only one of the two has', () => {
    const few = fc.array(fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(few, few, (before, after) => {
        const [one, other] = [new Set(before), new Set(after)];
        const expected =
          [...one].filter((id) => !other.has(id)).length + [...other].filter((id) => !one.has(id)).length;
        expect(countDifferences(encodePackageSet(idsOf(before)).ids, after)).toBe(expected);
      }),
    );
  });

  it('takes little more than one byte for each of a thousand consecutive ids', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => 1 + index * 60);
    expect(encodePackageSet(idsOf(ids)).ids.length).toBe(1_000);
  });
});
