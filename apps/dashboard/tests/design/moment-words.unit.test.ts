import { dateInWords, exactTime, relativeTime, spanInWords } from '../../src/design/time/moment-words.ts';

const now = Date.parse('2026-11-22T10:14:05Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a moment in words', () => {
  it.each([
    [0, 'just now'],
    [-29_000, 'just now'],
    [10_000, 'in a moment'],
    [-30_000, '1 minute ago'],
    [-89 * minute, '89 minutes ago'],
    [-90 * minute, '2 hours ago'],
    [-35 * hour, '35 hours ago'],
    [-36 * hour, '2 days ago'],
    [-90 * day, '90 days ago'],
    [-100 * day, '3 months ago'],
    [-(Date.parse('2026-11-22') - Date.parse('2025-02-18')), '21 months ago'],
    [-35.4 * 30.4375 * day, '35 months ago'],
    [-3 * 365.25 * day, '3 years ago'],
    [5 * hour + 40 * minute, 'in 6 hours'],
  ])('%d ms from now: %s', (distance, words) => {
    expect(relativeTime(now + distance, now)).toBe(words);
  });

  it('says a span without a direction, one of a unit in the singular', () => {
    expect([spanInWords(-90 * day), spanInWords(minute), spanInWords(640 * day)]).toEqual([
      '90 days',
      '1 minute',
      '21 months',
    ]);
  });

  it('names the zone with the exact time', () => {
    expect(exactTime(new Date(now), 'UTC')).toBe('22 Nov 2026 10:14:05 UTC');
    expect(exactTime(new Date(now), 'Europe/Berlin')).toBe('22 Nov 2026 11:14:05 CET');
    expect(exactTime(new Date('2026-09-01T00:00:00Z'), 'UTC')).toBe('1 Sep 2026 00:00:00 UTC');
    expect(dateInWords(new Date(now), 'UTC')).toBe('22 Nov 2026');
  });
});
