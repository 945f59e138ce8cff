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
