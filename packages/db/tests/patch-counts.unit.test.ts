import { severities } from '@plimsoll/model';
import {
  type CountedExposures,
  CountReader,
  countEqual,
  encodeCounts,
  hoursBetween,
  stagesOf,
} from '../src/patching/patch-counts.ts';
import { PatchTimes } from '../src/patching/patch-times.ts';

const noStages = { known: null, offered: null, installed: null, running: null };
const closed = (hours: number, count: number): CountedExposures => ({
  severity: 'important',
  hasFix: true,
  count,
  from: Date.UTC(2026, 0, 1),
  timedFrom: Date.UTC(2026, 0, 1),
  hours,
  stages: { ...noStages, offered: hours },
});

function entryOf({ severity, hasFix, count, from, timedFrom, hours, stages }: CountReader): CountedExposures {
  const [known, offered, installed, running] = stages.map((each) => (each < 0 ? null : each));
  return {
    severity: severities[severity] ?? 'none',
    hasFix,
    count,
    from,
    timedFrom,
    hours,
    stages: {
      known: known ?? null,
      offered: offered ?? null,
      installed: installed ?? null,
      running: running ?? null,
    },
  };
}

describe('counted exposures', () => {
  it('are the same after encoding, also of joined lists', () => {
    const lists = [
      [closed(73, 1), closed(0, 300)],
      [{ ...closed(17_544, 2), hasFix: false, stages: noStages }],
      [{ ...closed(10, 1), timedFrom: Date.UTC(2016, 0, 1) + 7 }],
    ];
    const decoded: CountedExposures[] = [];
    const reader = new CountReader().read(Buffer.concat(lists.map(encodeCounts)));
    while (reader.next()) decoded.push(entryOf(reader));
    expect(decoded).toHaveLength(4);
    expect(new Set(decoded)).toEqual(new Set(lists.flat()));
  });

  it('are encoded alike in any order', () => {
    const counts = [closed(1, 1), closed(2, 1), closed(3, 5)];
    expect(encodeCounts(counts.toReversed())).toEqual(encodeCounts(counts));
  });

  it('are summed up where they are equal', () => {
    const { count: _, ...one } = closed(5, 1);
    expect(countEqual([one, { ...one, stages: noStages }, one], { withStages: true })).toHaveLength(2);
    expect(countEqual([one, { ...one, stages: noStages }, one], { withStages: false })).toMatchObject([
      { count: 3, stages: noStages },
    ]);
  });
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
  const day = new Date(Date.UTC(2026, 0, 9));
  const known = new Date(0);

  it('have no share that leaves out what is open for longer', () => {
    const times = new PatchTimes(period, null);
    times.addEnded(encodeCounts([closed(72, 1)]), 'patched', day.getTime());
    times.addOpen(encodeCounts([{ ...closed(0, 3), stages: noStages }]), false);
    const important = times.bySeverity(known).get('important');
    // Three are open for ten days: late for three and seven days, not yet for fourteen.
    expect(important).toMatchObject({ closed: 1, open: 3, within: [0.25, 0.25, 1, 1, 1], medianHours: 72 });
  });

  it('say nothing where nothing is known', () => {
    expect(new PatchTimes(period, null).bySeverity(known).get('low')).toMatchObject({
      closed: 0,
      medianHours: null,
      p90Hours: null,
      within: [null, null, null, null, null],
      stages: noStages,
    });
  });

  it('estimate the share that is open for longer from what is closed and what is still open', () => {
    const times = new PatchTimes(period, null);
    times.addEnded(encodeCounts([closed(20, 1), closed(30, 1)]), 'patched', day.getTime());
    times.addOpen(encodeCounts([{ ...closed(0, 2), stages: noStages }]), false);
    const { curve = [], openByDay } = times.bySeverity(known).get('important') ?? {};
    const shares = curve.map(({ openShare }) => Math.round(openShare * 1000) / 1000);
    // One of four is closed within a day, one of the three others within two; two are open for ten days.
    expect(shares.slice(0, 3)).toEqual([1, 0.75, 0.5]);
    expect(curve.at(-1)).toEqual({ days: 9, openShare: 0.5, atRisk: 2 });
    // All four began before the period; two ended on its second day.
    expect(openByDay).toEqual([4, 2, 2]);
    expect(times.total(known).openByDay).toEqual(openByDay);
    expect(times.total(day).openByDay).toEqual([null, 2, 2]);
    expect(times.total(null).openByDay).toEqual([null, null, null]);
  });

  it('are those of one severity where only one is asked for', () => {
    const times = new PatchTimes(period, 'critical');
    times.addEnded(encodeCounts([closed(20, 1)]), 'patched', day.getTime());
    expect([...times.bySeverity(known).keys()]).toEqual(['critical']);
    expect(times.total(known).closed).toBe(0);
  });

  it('count the time of an exposure that continues others from their start, and it is open since its own', () => {
    const times = new PatchTimes(period, null);
    const continuing = { ...closed(0, 1), from: Date.UTC(2026, 0, 9, 12), timedFrom: Date.UTC(2026, 0, 1) };
    times.addEnded(encodeCounts([{ ...closed(204, 1) }]), 'continued', continuing.from);
    times.addOpen(encodeCounts([{ ...continuing, stages: noStages }]), false);
    const { open, within, curve = [], openByDay, endedOtherwise } = times.total(known);
    expect({ open, openByDay }).toEqual({ open: 1, openByDay: [1, 1, 1] });
    expect(within).toEqual([0, 0, null, null, null]);
    expect(curve.at(-1)).toMatchObject({ days: 9, atRisk: 1 });
    expect(Object.values(endedOtherwise)).toEqual([0, 0, 0, 0, 0]);
  });

  it('never count what a change of knowledge ended as closed', () => {
    const times = new PatchTimes(period, null);
    times.addEnded(encodeCounts([closed(5, 4)]), 'advisory_withdrawn', day.getTime());
    expect(times.bySeverity(known).get('important')).toMatchObject({
      closed: 0,
      endedOtherwise: { advisory_withdrawn: 4 },
      within: [null, null, null, null, null],
    });
  });
});
