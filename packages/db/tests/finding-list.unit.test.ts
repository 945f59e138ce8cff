import type { FindingEntry, FindingMark } from '@plimsoll/advisories';
import { type AdvisoryKey, fixStates, type PackageVersionId } from '@plimsoll/model';
import fc from 'fast-check';
import { decodeFindingList, encodeEntry, FindingListWriter } from '../src/judging/counting/finding-list.ts';

const marks = fc.record({ state: fc.constantFrom(null, ...fixStates), waived: fc.boolean() });
const ids = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const exceptions = fc
  .uniqueArray(fc.record({ advisory: ids.map((id) => id as AdvisoryKey), mark: marks }), {
    selector: ({ advisory }) => advisory,
    maxLength: 5,
  })
  .map((some) => some.sort((a, b) => a.advisory - b.advisory));
const findings = fc
  .uniqueArray(
    fc.record({
      versionId: ids.map((id) => id as PackageVersionId),
      mark: marks,
      exceptions,
      dueMinute: fc.option(fc.integer({ min: 0, max: 200_000_000 }), { nil: Number.NaN }),
      installedMinute: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200_000_000 })),
    }),
    { selector: ({ versionId }) => versionId, maxLength: 40 },
  )
  .map((all) => all.toSorted((a, b) => a.versionId - b.versionId));

type Finding = FindingEntry & { readonly dueMinute: number; readonly installedMinute: number };

const timeOf = ({ dueMinute }: Finding) =>
  Number.isNaN(dueMinute) ? Number.POSITIVE_INFINITY : dueMinute * 60_000 - 30_000;

const installedAtOf = ({ installedMinute }: Finding) =>
  installedMinute === 0 ? 0 : installedMinute * 60_000 - 30_000;

/** Nothing that is waived is due, and all else of an entry is due with its version. */
function listed({ versionId, mark, exceptions, dueMinute, installedMinute }: Finding) {
  const minute = mark.waived || Number.isNaN(dueMinute) ? null : dueMinute;
  const dated = (each: FindingMark) => ({ ...each, dueMinute: each.waived ? null : minute });
  return {
    versionId,
    mark: dated(mark),
    installedMinute,
    exceptions: exceptions.map((each) => ({ advisory: each.advisory, mark: dated(each.mark) })),
  };
}

it('reads the findings that were written', () => {
  fc.assert(
    fc.property(findings, (all) => {
      const writer = new FindingListWriter(all.length);
      for (const each of all) writer.entry(encodeEntry(each), timeOf(each), installedAtOf(each));
      const { bytes, size } = writer.written();
      expect(decodeFindingList(bytes)).toEqual(all.map(listed));
      expect(size).toBe(all.length);
    }),
    { seed: 20_261_123 },
  );
});

it('takes two to three bytes per version of a usual host', () => {
  const versionIds = Array.from({ length: 400 }, (_, n) => (50_000 + 37 * n) as PackageVersionId);
  const mark: FindingMark = { state: 'installable', waived: false };
  const writer = new FindingListWriter(versionIds.length);
  for (const versionId of versionIds)
    writer.entry(encodeEntry({ versionId, mark, exceptions: [] }), Number.POSITIVE_INFINITY);
  expect(writer.written().bytes.length).toBeLessThan(810);
});
