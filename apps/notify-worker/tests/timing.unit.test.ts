import { nextBulletin } from '../src/schedule/next-bulletin.ts';
import { retrySeconds } from '../src/schedule/retry-seconds.ts';
import { timingOf } from '../src/schedule/timing.ts';

const zone = 'Europe/Berlin';
const plain = { delayMinutes: 0, digest: null, quietHours: null };
const day = { every: 'day', at: '08:00', time_zone: zone } as const;
const week = { every: 'week', at: '08:00', time_zone: zone } as const;
const night = { from: '22:00', to: '07:00', time_zone: zone };

describe('when a route tells an event', () => {
  it.each([
    ['at once', plain, '2026-11-23T10:00:00Z', 'alone', '2026-11-23T10:00:00Z'],
    [
      'after the delay',
      { ...plain, delayMinutes: 30 },
      '2026-11-23T10:00:00Z',
      'alone',
      '2026-11-23T10:30:00Z',
    ],
    [
      'in the digest of today',
      { ...plain, digest: day },
      '2026-11-23T06:59:00Z',
      'digest',
      '2026-11-23T07:00:00Z',
    ],
    [
      'in that of tomorrow, at its very time',
      { ...plain, digest: day },
      '2026-11-23T07:00:00Z',
      'digest',
      '2026-11-24T07:00:00Z',
    ],
    [
      'in that after its delay',
      { ...plain, digest: day, delayMinutes: 5 },
      '2026-11-23T06:58:00Z',
      'digest',
      '2026-11-24T07:00:00Z',
    ],
    [
      'in the summer an hour earlier by UTC',
      { ...plain, digest: day },
      '2026-07-01T03:00:00Z',
      'digest',
      '2026-07-01T06:00:00Z',
    ],
    ['next Monday', { ...plain, digest: week }, '2026-11-24T10:00:00Z', 'digest', '2026-11-30T07:00:00Z'],
    ['this Monday', { ...plain, digest: week }, '2026-11-23T06:00:00Z', 'digest', '2026-11-23T07:00:00Z'],
    [
      'in the evening at the end of the night',
      { ...plain, quietHours: night },
      '2026-11-23T22:00:00Z',
      'summary',
      '2026-11-24T06:00:00Z',
    ],
    [
      'in the morning at the end of the night',
      { ...plain, quietHours: night },
      '2026-11-23T05:00:00Z',
      'summary',
      '2026-11-23T06:00:00Z',
    ],
    [
      'at the end of the night at once',
      { ...plain, quietHours: night },
      '2026-11-23T06:00:00Z',
      'alone',
      '2026-11-23T06:00:00Z',
    ],
    [
      'later where clocks skip the time',
      { ...plain, digest: { every: 'day', at: '02:30', time_zone: zone } as const },
      '2026-03-28T12:00:00Z',
      'digest',
      '2026-03-29T01:30:00Z',
    ],
  ])('%s', (_name, route, now, kind, at) => {
    expect(timingOf(route, new Date(now))).toEqual({ kind, at: new Date(at) });
  });
});

describe('the next attempt', () => {
  const dueAt = new Date('2026-11-23T00:00:00Z');
  const at = (hours: number) => new Date(dueAt.getTime() + hours * 3_600_000);

  it('is after 10 seconds first, after an hour at last, and with jitter', () => {
    const after = (attempt: number, random: number) =>
      retrySeconds({ attempt, dueAt, now: dueAt, askedSeconds: null }, random);
    expect([after(1, 0), after(2, 0), after(20, 0), after(1, 1)]).toEqual([10, 30, 3600, 11]);
  });

  it('is not before the time that the server named, up to an hour', () => {
    const asked = (askedSeconds: number) => retrySeconds({ attempt: 1, dueAt, now: dueAt, askedSeconds }, 0);
    expect([asked(60), asked(1), asked(999_999)]).toEqual([60, 10, 3600]);
  });

  it('is none a day after the delivery was due', () => {
    const late = (hours: number) =>
      retrySeconds({ attempt: 30, dueAt, now: at(hours), askedSeconds: null }, 0);
    expect([late(22.9), late(23.1)]).toEqual([3600, null]);
  });
});

describe('through a leap year, by clocks that skip and repeat an hour', () => {
  // Berlin skips 02:00, Cairo midnight, Lord Howe half an hour.
  const zones = ['Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe'];
  const times = ['00:00', '02:15'];
  const cases = zones.flatMap((at_zone) => times.map((at) => [at_zone, at] as const));
  const start = new Date('2027-12-31T12:00:00Z');

  /** The local days of the times that a schedule has after each other. */
  function daysOf(next: (after: Date) => Date, count: number, timeZone: string): readonly string[] {
    const days: string[] = [];
    const words = new Intl.DateTimeFormat('en-CA', { timeZone });
    for (let at = start; days.length < count; ) {
      const then = next(at);
      if (then <= at) throw new Error(`${then.toISOString()} follows ${at.toISOString()}`);
      // The same from a moment in between, so that a look then changes nothing.
      const halfway = new Date((at.getTime() + then.getTime()) / 2);
      if (next(halfway).getTime() !== then.getTime())
        throw new Error(`another one at ${halfway.toISOString()}`);
      days.push(words.format(then));
      at = then;
    }
    return days;
  }
  /** So many days from one on, each so many days after the one before. */
  const everyDays = (first: string, step: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      new Date(Date.parse(first) + n * step * 86_400_000).toISOString().slice(0, 10),
    );
  const dayAfterStart = (days: readonly string[]) => days[0] ?? '';

  it.each(cases)('a digest in %s at %s comes once on each day, or each Monday', (time_zone, at) => {
    const digest = (every: 'day' | 'week') => (after: Date) =>
      timingOf({ ...plain, digest: { every, at, time_zone } }, after).at;
    const days = daysOf(digest('day'), 370, time_zone);
    expect(days).toEqual(everyDays(dayAfterStart(days), 1, 370));
    expect(daysOf(digest('week'), 54, time_zone)).toEqual(everyDays('2028-01-03', 7, 54));
  });

  it.each(cases)('a report by mail in %s at %s comes once on each day, week and month', (timeZone, at) => {
    const bulletin = (every: 'day' | 'week' | 'month', day: number) => (after: Date) =>
      nextBulletin({ every, weekday: 7, day, at, timeZone }, after);
    const days = daysOf(bulletin('day', 1), 370, timeZone);
    expect(days).toEqual(everyDays(dayAfterStart(days), 1, 370));
    expect(daysOf(bulletin('week', 1), 54, timeZone)).toEqual(everyDays('2028-01-02', 7, 54));
    for (const [day, february] of [
      [29, '2028-02-29'],
      [31, '2028-02-29'],
      [30, '2028-02-29'],
    ] as const)
      expect(daysOf(bulletin('month', day), 14, timeZone).filter((one) => one.startsWith('2028-02'))).toEqual(
        [february],
      );
  });

  it.each(cases)('quiet hours in %s until %s end once each night', (time_zone, to) => {
    const quietHours = { from: '20:00', to, time_zone };
    const ends = new Set<number>();
    for (let n = 0; n < 370 * 24; n += 3) {
      const at = start.getTime() + n * 3_600_000;
      const end = timingOf({ ...plain, quietHours }, new Date(at)).at.getTime();
      if (end !== at) ends.add(end);
    }
    const words = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone });
    expect(new Set([...ends].map((end) => words.format(end))).size).toBe(ends.size);
    expect(ends.size).toBeGreaterThanOrEqual(370);
  });
});
