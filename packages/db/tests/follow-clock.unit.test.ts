import { type ClockState, followClock, type HostsSay } from '../src/core/follow-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-12-01T00:00:00Z');
const silence: HostsSay = { agree: 0, differ: 0 };
const confirmed: HostsSay = { agree: 3, differ: 1 };
const denied: HostsSay = { agree: 1, differ: 3 };

/** Follows every ten minutes for a while. @param from the database's time at the beginning */
function follow(state: ClockState, from: number, forMs: number, said: HostsSay): ClockState {
  let followed = state;
  for (let ms = 0; ms <= forMs; ms += 10 * minute)
    followed = followClock(followed, new Date(from + ms), said);
  return followed;
}
const inStep: ClockState = { at: new Date(start), notedAt: new Date(start), jumpedAt: null };
const daysPast = (state: ClockState, from = start) => (state.at.getTime() - from) / day;

describe('the retention time', () => {
  it('is the time of the database as long as that goes on by steps of at most a day', () => {
    expect(daysPast(follow(inStep, start, 3 * day, silence))).toBe(3);
    expect(daysPast(followClock(inStep, new Date(start + day), silence))).toBe(1);
    const back = followClock(inStep, new Date(start - day), silence);
    expect(daysPast(back)).toBe(-1);
    expect(followClock(back, new Date(start), silence).at).toEqual(inStep.at);
  });

  it('goes on from where it was after a jump by 500 days that hosts deny, and is right again with the clock', () => {
    const jumped = follow(inStep, start + 500 * day, 2 * day, denied);
    expect(daysPast(jumped)).toBeCloseTo(2, 1);
    const corrected = followClock(jumped, new Date(start + 2 * day + hour), silence);
    expect(corrected).toEqual({
      at: new Date(start + 2 * day + hour),
      notedAt: new Date(start + 2 * day + hour),
      jumpedAt: null,
    });
  });

  it('catches up by a day in ten minutes after a pause of 60 days that hosts confirm, and begins with their first report', () => {
    const restarted = follow(inStep, start + 60 * day, 50 * minute, denied);
    expect(daysPast(restarted)).toBeLessThan(0.1);
    const hourLater = start + 60 * day + hour;
    expect(daysPast(follow(restarted, hourLater, 0, confirmed))).toBeLessThan(1.1);
    const tenHours = follow(restarted, hourLater, 10 * hour, confirmed);
    expect(tenHours).toEqual({
      at: new Date(hourLater + 10 * hour),
      notedAt: new Date(hourLater + 10 * hour),
      jumpedAt: null,
    });
  });

  it('catches up by a day each day while no host reports, so that nothing is kept for ever', () => {
    const later = follow(inStep, start + 60 * day, 20 * day, silence);
    expect(daysPast(later)).toBeCloseTo(40, 0);
  });

  it('stays after a jump into the past, however far, and follows when hosts confirm an earlier time', () => {
    const past = follow(inStep, 0, day, denied);
    expect(daysPast(past)).toBeCloseTo(1, 1);
    expect(follow(past, start + day, hour, silence)).toMatchObject({
      at: new Date(start + day + hour),
      jumpedAt: null,
    });
    const wrong: ClockState = { ...inStep, at: new Date(start + 500 * day) };
    const seen = follow(wrong, start, 0, silence);
    expect(seen.jumpedAt).toEqual(new Date(start));
    expect(followClock(seen, new Date(start + minute), confirmed).at).toEqual(new Date(start + minute));
  });

  it('asks again after a second jump', () => {
    const first = follow(inStep, start + 60 * day, hour, denied);
    const second = followClock(first, new Date(start + 300 * day), confirmed);
    expect([second.at, second.jumpedAt]).toEqual([first.at, new Date(start + 300 * day)]);
  });
});
