import { otherFixSpans, withoutSpans } from '../src/judging/exposures/past-fixes.ts';

const endless = Number.POSITIVE_INFINITY;
const past = new Map([
  // Without a fix, with one that was withdrawn, without one, and since 40 with one again.
  [
    1,
    [
      { from: 0, until: 10, hasFix: false },
      { from: 10, until: 20, hasFix: true },
      { from: 20, until: 40, hasFix: false },
    ],
  ],
  [2, []],
]);
const pastOf = (id: number) => past.get(id) ?? [];
const stated = (statementId: number, from: number, until: number, hasFix: boolean) => ({
  statementId,
  from,
  until,
  hasFix,
});

it.each([
  [
    'a fix that came and went',
    [stated(1, 5, endless, true)],
    true,
    [
      [5, 10],
      [20, 40],
    ],
  ],
  ['an exposure that ended before the fix', [stated(1, 25, 35, true)], true, [[25, 35]]],
  ['another statement before', [stated(1, 15, 30, true), stated(2, 0, 15, false)], false, [[15, 20]]],
  ['statements that never changed', [stated(2, 0, 9, true), stated(2, 9, endless, true)], true, []],
  ['neighbours that are one span', [stated(2, 0, 9, false), stated(1, 9, 15, true)], true, [[0, 10]]],
] as const)('differs from what is known last: %s', (_what, statements, hasFix, spans) => {
  const found = otherFixSpans({ stated: statements, hasFix }, pastOf);
  expect(found.map(({ from, until }) => [from, until])).toEqual(spans);
});

it.each([
  [[[0, 10]], [], [[0, 10]]],
  [
    [[0, 10]],
    [
      [2, 4],
      [6, 12],
    ],
    [
      [0, 2],
      [4, 6],
    ],
  ],
  [
    [
      [5, 10],
      [20, 30],
    ],
    [
      [0, 7],
      [22, endless],
    ],
    [
      [7, 10],
      [20, 22],
    ],
  ],
  [[[5, 10]], [[0, 20]], []],
])('%j without %j is %j', (spans, others, left) => {
  const toSpans = (pairs: readonly (readonly number[])[]) =>
    pairs.map(([from = 0, until = 0]) => ({ from, until }));
  expect(withoutSpans(toSpans(spans), toSpans(others))).toEqual(toSpans(left));
});
