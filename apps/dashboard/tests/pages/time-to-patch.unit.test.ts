import { aboutInWords } from '../../src/pages/time-to-patch/about-words.ts';
import { cohortWords, hoursWords, shareWords } from '../../src/pages/time-to-patch/hours-words.ts';
import { periodIn, periodsAt } from '../../src/pages/time-to-patch/period.ts';

const now = new Date('2026-11-23T10:14:05.123Z');

describe('the period of an address', () => {
  it.each([
    ['last-quarter', '2026-07-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z'],
    ['this-quarter', '2026-10-01T00:00:00.000Z', null],
    ['last-month', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['last-year', '2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ])('%s is from %s to %s', (period, from, to) => {
    expect(periodIn({ period }, now)).toMatchObject({ id: period, from, to });
  });

  it('is the last quarter of the year before in January', () => {
    const quarter = periodsAt(new Date('2026-01-15T00:00:00Z')).find(({ id }) => id === 'last-quarter');
    expect(quarter).toMatchObject({ words: 'Last quarter (Q4 2025)', from: '2025-10-01T00:00:00.000Z' });
  });

  it('includes the last of two days, and is 90 days where they are not days', () => {
    expect(periodIn({ from: '2026-01-01', to: '2026-01-31' }, now).to).toBe('2026-02-01T00:00:00.000Z');
    for (const wrong of [{ from: '2026-02-01', to: '2026-01-01' }, { from: 'x', to: '2026-01-01' }, {}]) {
      expect(periodIn(wrong, now).id).toBe('90d');
    }
  });
});

describe('times and shares', () => {
  it('never look better than they are', () => {
    expect(shareWords(0.99999)).toBe('99.9%');
    expect(cohortWords({ closed: 96, of: 112 })).toBe('96 of 112 (85.7%)');
    expect(cohortWords({ closed: 0, of: 0 })).toBe('–');
    expect([shareWords(1), shareWords(null), shareWords(0.7)]).toEqual(['100.0%', '–', '70.0%']);
    expect([hoursWords(null), hoursWords(71), hoursWords(73)]).toEqual(['–', '71 h', '3.1 days']);
  });
});

describe('what the numbers are about', () => {
  const quarter = { from: '2026-07-01T00:00:00Z', to: '2026-10-01T00:00:00Z', hosts: 20 };

  it('names the tags and the severity that were chosen, because a print lacks their fields', () => {
    expect(aboutInWords({ ...quarter, tags: ['web', 'db'], severity: 'critical' })).toBe(
      '1 Jul 2026 to 1 Oct 2026 00:00:00 UTC, 20 hosts tagged web or db, only findings of severity Critical.',
    );
    expect(aboutInWords({ ...quarter, tags: [], severity: undefined })).toBe(
      '1 Jul 2026 to 1 Oct 2026 00:00:00 UTC, 20 hosts.',
    );
  });
});
