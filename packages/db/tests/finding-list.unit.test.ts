import type { FindingEntry, FindingList } from '@plimsoll/advisories';
import { type AdvisoryKey, fixStates, type PackageVersionId } from '@plimsoll/model';
import fc from 'fast-check';
import { decodeFindingList, encodeFindingList } from '../src/interning/finding-list.ts';

const marks = fc.record({
  state: fc.constantFrom(null, ...fixStates),
  waived: fc.boolean(),
  dueMinute: fc.option(fc.integer({ min: 0, max: 200_000_000 })),
});
const ids = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const exceptions = fc
  .uniqueArray(fc.record({ advisory: ids.map((id) => id as AdvisoryKey), mark: marks }), {
    selector: ({ advisory }) => advisory,
    maxLength: 5,
  })
  .map((some) => some.sort((a, b) => a.advisory - b.advisory));
const entries = fc.uniqueArray(
  fc.record({ versionId: ids.map((id) => id as PackageVersionId), mark: marks, exceptions }),
  { selector: ({ versionId }) => versionId, maxLength: 40 },
);

/** The same list with the entries that allow it in groups. */
function grouped(all: readonly FindingEntry[]): FindingList {
  const simple = all.filter((entry) => entry.exceptions.length === 0);
  return {
    groups: simple.map(({ versionId, mark }) => ({ versionIds: [versionId], mark })),
    entries: all.filter((entry) => entry.exceptions.length > 0).reverse(),
  };
}

it('reads the entries that were encoded, in the order of versions', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const sorted = all.toSorted((a, b) => a.versionId - b.versionId);
      const encoded = encodeFindingList({ groups: [], entries: all });
      expect(decodeFindingList(encoded.bytes)).toEqual(sorted);
      expect(encoded.size).toBe(all.length);
      expect(encodeFindingList(grouped(all))).toEqual(encoded);
    }),
    { seed: 20_261_123 },
  );
});

it('takes two to three bytes per version of a usual host', () => {
  const versionIds = Array.from({ length: 400 }, (_, n) => (50_000 + 37 * n) as PackageVersionId);
  const mark = { state: 'installable', waived: false, dueMinute: null } as const;
  const { bytes } = encodeFindingList({ groups: [{ versionIds, mark }], entries: [] });
  expect(bytes.length).toBeLessThan(810);
});
