import {
  type CountedExposures,
  countEqual,
  hoursBetween,
  noStages,
  stagesOf,
} from '../src/judging/exposures/exposure-counts.ts';

const closed = (hours: number, count: number): CountedExposures => ({
  severity: 'important',
  hasFix: true,
  count,
  since: Date.UTC(2026, 0, 1),
  until: Date.UTC(2026, 0, 9),
  timedSince: Date.UTC(2026, 0, 1),
  fixableAt: Date.UTC(2026, 0, 1),
  cause: 'patched',
  hours,
  stages: { ...noStages, offered: hours },
});

it('sums up exposures where they are equal', () => {
  const { count: _, ...one } = closed(5, 1);
  expect(countEqual([one, { ...one, stages: noStages }, one])).toEqual([
    { ...one, count: 2 },
    { ...one, stages: noStages, count: 1 },
  ]);
  expect(countEqual([one, { ...one, fixableAt: null }])).toHaveLength(2);
});

describe('stages', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  const exposure = {
    from: at(10),
    publishedAt: at(4),
    offeredAt: at(12),
    installedAt: at(20),
    runningAt: at(21),
  };

  it('follow each other', () => {
    expect(stagesOf(exposure, { isFromKnowledge: true })).toEqual({
      known: 6,
      offered: 2,
      installed: 8,
      running: 1,
    });
  });

  it('are 0 where the end came first, and null where one end is not known', () => {
    expect(stagesOf({ ...exposure, offeredAt: at(1) }, { isFromKnowledge: true })).toMatchObject({
      offered: 0,
      installed: 10,
    });
    expect(stagesOf({ ...exposure, offeredAt: null, runningAt: null }, { isFromKnowledge: false })).toEqual(
      noStages,
    );
  });

  it('are in hours that are rounded up', () => {
    expect(hoursBetween(0, 1)).toBe(1);
    expect(hoursBetween(0, 3_600_000)).toBe(1);
    expect(hoursBetween(5, 0)).toBe(0);
  });
});
