import { compareText, fixStates, severities } from '@plimsoll/model';
import fc from 'fast-check';
import type { FindingPlace, FindingRow } from '../src/judging/findings/finding-query.ts';
import { keptAnswers } from '../src/judging/findings/kept-answers.ts';
import { type KeptRows, RowWriter } from '../src/judging/findings/kept-rows.ts';

/** Mostly equal ones, so that all that rows are ordered by decides on the order of some. */
const times = fc.oneof(
  fc.constantFrom(Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 1) + 1),
  fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
);
const hosts = fc.oneof(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
const rows = fc.uniqueArray(
  fc.record<FindingRow>({
    key: fc.string({ maxLength: 4 }),
    title: fc.string({ maxLength: 4 }),
    severity: fc.constantFrom(...severities),
    knownExploited: fc.boolean(),
    epss: fc.option(fc.oneof(fc.constantFrom(0, 0.5), fc.double({ min: 0, max: 1, noNaN: true }))),
    dueAt: fc.option(times),
    overdueHosts: fc.nat({ max: 2 ** 32 - 1 }),
    waivedHosts: fc.nat({ max: 2 ** 32 - 1 }),
    hosts,
    byState: fc.dictionary(fc.constantFrom(...fixStates), hosts, { noNullPrototype: true }),
    firstSeenAt: times,
  }),
  { selector: ({ key }) => key, maxLength: 40 },
);

function keptOf(some: readonly FindingRow[]): KeptRows {
  const writer = new RowWriter();
  for (const row of some) writer.add(row);
  return writer.written();
}

/** Null and what is less comes last. */
function descending(a: number | null, b: number | null): number {
  return (b ?? -1) - (a ?? -1);
}

function inOrder(a: FindingPlace, b: FindingPlace): number {
  if (a.dueAt !== b.dueAt) return a.dueAt === null ? 1 : b.dueAt === null ? -1 : a.dueAt - b.dueAt;
  if (a.knownExploited !== b.knownExploited) return a.knownExploited ? -1 : 1;
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    descending(a.epss, b.epss) ||
    descending(a.hosts, b.hosts) ||
    compareText(a.key, b.key)
  );
}

it('gives back the rows that were added, what to do first comes first', () => {
  fc.assert(
    fc.property(rows, fc.nat({ max: 40 }), fc.nat({ max: 40 }), (added, first, end) => {
      const sorted = added.toSorted(inOrder);
      const kept = keptOf(added);
      expect(kept).toHaveLength(added.length);
      expect(kept.slice()).toEqual(sorted);
      expect(kept.slice(first, end)).toEqual(sorted.slice(first, end));
    }),
  );
});

it('gives the states of a row in the order of all states', () => {
  const [row] = fc
    .sample(
      rows.filter(({ length }) => length > 0),
      1,
    )
    .flat();
  const byState = Object.fromEntries(fixStates.toReversed().map((state, n) => [state, n + 1]));
  const [kept] = keptOf(row === undefined ? [] : [{ ...row, byState }]).slice();
  expect(Object.keys(kept?.byState ?? {})).toEqual(fixStates);
});

it('finds where the rows behind a place begin, whether the place has a row or not', () => {
  fc.assert(
    fc.property(rows, rows, (added, others) => {
      const kept = keptOf(added);
      for (const place of [...added, ...others])
        expect(kept.upTo(place)).toBe(added.filter((row) => inOrder(row, place) <= 0).length);
    }),
  );
});

describe('kept answers', () => {
  const answer = (bytes: number) => ({ rows: { bytes } });

  it('are dropped once there is no more room, the longest unused first', () => {
    const answers = keptAnswers(10_000);
    for (const key of ['a', 'b', 'c']) answers.set(key, answer(3_000));
    answers.get('a');
    answers.set('d', answer(3_000));
    expect([...answers.keys()].sort(compareText)).toEqual(['a', 'c', 'd']);
  });

  it('include one that is larger than all room, alone', () => {
    const answers = keptAnswers(10_000);
    answers.set('large', answer(1_000_000));
    answers.set('larger', answer(2_000_000));
    expect([...answers.keys()]).toEqual(['larger']);
    answers.set('small', answer(1_000));
    expect([...answers.keys()]).toEqual(['small']);
  });
});
