import {
  type CountedExposures,
  countEqual,
  hoursBetween,
  noStages,
  stagesOf,
} from '../src/judging/exposures/exposure-counts.ts';
import { type EndedCount, type OpenCount, PatchTimes } from '../src/judging/exposures/patch-times.ts';

const closed = (hours: number, count: number): CountedExposures => ({
  severity: 'important',
  hasFix: true,
  count,
  since: Date.UTC(2026, 0, 1),
  until: Date.UTC(2026, 0, 9),
  timedSince: Date.UTC(2026, 0, 1),
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

describe('the sums of a period', () => {
  const period = { from: new Date(Date.UTC(2026, 0, 8)), to: new Date(Date.UTC(2026, 0, 11)) };
  const dayOf = (day: number) => Date.UTC(2026, 0, day) / (24 * 3600 * 1000);
  const known = new Date(0);
  const none = { cause: null, beginDay: null, endDay: null, hours: null, ...noStages };
  const important = { severity: 'important' } as const;

  function sumsOf({ open = [] as OpenCount[], ended = [] as Partial<EndedCount>[] }) {
    const times = new PatchTimes(period, null);
    for (const one of open) times.addOpen(one);
    for (const one of ended) times.addEnded({ ...none, ...important, count: 1, ...one });
    return times;
  }

  /** Of ten days ago. */
  const open = (count: number, more: Partial<OpenCount> = {}): OpenCount => ({
    ...important,
    counted: 'open',
    hasFix: true,
    isSilent: false,
    day: dayOf(1),
    hours: 240,
    count,
    ...more,
  });
  /** On the second day of the period. */
  const patched = (hours: number): Partial<EndedCount>[] => [
    { cause: 'patched', endDay: dayOf(9) },
    { beginDay: dayOf(1) },
    { hours },
  ];

  it('have no share that leaves out what is open for longer', () => {
    const sums = sumsOf({ open: [open(3)], ended: patched(72) }).bySeverity(known);
    // Three are open for ten days: late for three and seven days, not yet for fourteen.
    expect(sums.get('important')).toMatchObject({
      closed: 1,
      open: 3,
      within: [0.25, 0.25, 1, 1, 1],
      medianHours: 72,
    });
  });

  it('say nothing where nothing is known', () => {
    expect(sumsOf({}).bySeverity(known).get('low')).toMatchObject({
      closed: 0,
      medianHours: null,
      p90Hours: null,
      within: [null, null, null, null, null],
      stages: noStages,
    });
  });

  it('estimate the share that is open for longer from what is closed and what is still open', () => {
    const times = sumsOf({ open: [open(2)], ended: [...patched(20), ...patched(30)] });
    const { curve = [], openByDay } = times.bySeverity(known).get('important') ?? {};
    const shares = curve.map(({ openShare }) => Math.round(openShare * 1000) / 1000);
    // One of four is closed within a day, one of the three others within two; two are open for ten days.
    expect(shares.slice(0, 3)).toEqual([1, 0.75, 0.5]);
    expect(curve.at(-1)).toEqual({ days: 9, openShare: 0.5, atRisk: 2 });
    // All four began before the period; two ended on its second day.
    expect(openByDay).toEqual([4, 2, 2]);
    expect(times.total(known).openByDay).toEqual(openByDay);
    expect(times.total(new Date(Date.UTC(2026, 0, 9))).openByDay).toEqual([null, 2, 2]);
    expect(times.total(null).openByDay).toEqual([null, null, null]);
  });

  it('count apart what was waived, and by the fix of then what had another one', () => {
    const spans = [open(2, { counted: 'waived' }), open(1, { counted: 'restated', hasFix: false })];
    const all = [open(5), open(4, { hasFix: false }), ...spans];
    expect(sumsOf({ open: all }).total(known)).toMatchObject({ open: 4, openWithoutFix: 3, openWaived: 2 });
    const silent = all.map((one) => ({ ...one, isSilent: true }));
    expect(sumsOf({ open: silent }).total(known)).toMatchObject({ openOnSilentHosts: 9, openWaived: 0 });
  });

  it('never count what a change of knowledge ended as closed', () => {
    const withdrawn = [{ cause: 'advisory_withdrawn', endDay: dayOf(9), count: 4 } as const];
    expect(sumsOf({ ended: withdrawn }).bySeverity(known).get('important')).toMatchObject({
      closed: 0,
      endedOtherwise: { advisory_withdrawn: 4 },
      within: [null, null, null, null, null],
    });
  });
});
