import type { FleetDay, FleetTotals } from '@plimsoll/contract';
import { dayInWords, findingsOn, knownDays, trendInWords } from '../../src/pages/fleet/trend/trend-series.ts';

/** Null findings: the service did not run. `unknown`: hosts with unknown findings; null: a day of an older version. */
function day(date: string, critical: number | null, unknown: number | null = 0): FleetDay {
  if (critical === null) return { day: date, totals: null };
  const findings = { critical, important: 1, moderate: 7, low: 0, unrated: 0, unfixed: 5 };
  const totals = { hosts: 5, findings, findings_unknown_hosts: unknown } as unknown as FleetTotals; // the fields that a trend reads
  return { day: date, totals };
}

describe('the trend of the findings', () => {
  it.each([
    [
      'fewer',
      [day('2026-11-10', 5), day('2026-11-15', 3), day('2026-11-22', 1)],
      'Getting better: 2 critical or important findings fewer since 15 Nov.',
    ],
    [
      'more',
      [day('2026-11-14', 1), day('2026-11-22', 2)],
      'Getting worse: 1 critical or important finding more since 14 Nov.',
    ],
    [
      'as many',
      [day('2026-11-21', 4), day('2026-11-22', 4)],
      'No change since 21 Nov: 5 known critical or important findings.',
    ],
  ])('compares with the known day closest to a week ago: %s', (_what, days, words) => {
    expect(trendInWords(days)).toBe(words);
  });

  it('skips days that are not known', () => {
    const days = [day('2026-11-09', 6), day('2026-11-15', null), day('2026-11-22', 1)];
    expect(trendInWords(days)).toBe('Getting better: 5 critical or important findings fewer since 9 Nov.');
    expect(knownDays(days).map((known) => known.day)).toEqual(['2026-11-09', '2026-11-22']);
    expect(days.map((each) => findingsOn(each, 'critical'))).toEqual([6, null, 1]);
  });

  it('leaves out days on which nothing was known of any host', () => {
    const none = { critical: 0, important: 0, moderate: 0, low: 0, unrated: 0, unfixed: 0 };
    const on = (date: string, hosts: number, unknown: number): FleetDay => ({
      day: date,
      totals: { hosts, findings: none, findings_unknown_hosts: unknown } as unknown as FleetTotals, // as above
    });
    const days = [on('2026-11-20', 0, 0), on('2026-11-21', 3, 3), on('2026-11-22', 3, 2)];
    expect(days.map((each) => findingsOn(each, 'critical'))).toEqual([null, null, 0]);
    expect(knownDays(days)).toHaveLength(1);
  });

  it.each([2, null])('never says "better" where %s hosts are not known, then or now', (unknown) => {
    const words = '2 critical or important findings fewer since 15 Nov. Not all hosts are known.';
    expect(trendInWords([day('2026-11-15', 3), day('2026-11-22', 1, unknown)])).toBe(words);
    expect(trendInWords([day('2026-11-15', 3, unknown), day('2026-11-22', 1)])).toBe(words);
    expect(trendInWords([day('2026-11-15', 1), day('2026-11-22', 1, unknown)])).toContain('Not all hosts');
  });

  it.each([[[]], [[day('2026-11-22', 3)]], [[day('2026-11-21', null), day('2026-11-22', 3)]]])(
    'is not known before the second day',
    (days) => {
      expect(trendInWords(days)).toMatch(/^Recording started today/);
    },
  );

  it('names days in UTC, wherever the reader is', () => {
    expect(dayInWords('2026-01-01')).toBe('1 Jan');
  });
});
