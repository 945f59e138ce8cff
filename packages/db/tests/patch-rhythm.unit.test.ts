import { learnRhythm } from '../src/index.ts';

const dayMs = 86_400_000;
const days = (...numbers: number[]) => numbers.map((day) => day * dayMs);

it('knows no rhythm with fewer than five intervals', () => {
  expect(learnRhythm([])).toEqual({ rounds: 0, lastAt: null, usual: null, overdueAt: null });
  expect(learnRhythm(days(0, 7, 14, 21, 28))).toMatchObject({ rounds: 5, usual: null, overdueAt: null });
});

it('a weekly host is overdue after two weeks', () => {
  expect(learnRhythm(days(0, 7, 14, 21, 28, 35))).toEqual({
    rounds: 6,
    lastAt: 35 * dayMs,
    usual: { medianDays: 7, longestDays: 7 },
    overdueAt: (35 + 14 + 1) * dayMs,
  });
});

it('counts days in a row as one round, and starts from the last of them', () => {
  const learned = learnRhythm(days(0, 1, 2, 30, 60, 61, 90, 120, 150, 151));
  expect(learned).toMatchObject({
    rounds: 6,
    lastAt: 151 * dayMs,
    usual: { medianDays: 30, longestDays: 30 },
  });
});

it('learns from the year before the last updates only, also if they are long ago', () => {
  const weekly = days(400, 407, 414, 421, 428, 435);
  expect(learnRhythm([...days(0, 35, 69), ...weekly])).toEqual(learnRhythm(weekly));
  expect(learnRhythm([...days(70, 71), ...weekly])).toMatchObject({ rounds: 7, usual: { longestDays: 329 } });
});

it('waits for the longest interval, and for a week', () => {
  expect(learnRhythm(days(0, 7, 14, 21, 28, 88)).overdueAt).toBe((88 + 60 + 1) * dayMs);
  expect(learnRhythm(days(0, 2, 4, 6, 8, 10)).overdueAt).toBe((10 + 7 + 1) * dayMs);
});
