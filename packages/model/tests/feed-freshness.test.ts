import { feedFailureCauses, feedFreshness, feedWaysOut, wayOutSentence, waysOutOf } from '../src/index.ts';

const now = new Date('2026-11-22T12:00:00Z');
const staleAfterSeconds = 8 * 86_400;

describe('the data of a feed', () => {
  it.each([
    [null, 'never_synced'],
    ['2026-11-22T12:00:00Z', 'current'],
    ['2026-11-14T12:00:00Z', 'current'],
    ['2026-11-14T11:59:59.999Z', 'outdated'],
    ['2025-02-18T00:00:00Z', 'outdated'],
    ['2026-11-23T00:00:00Z', 'current'],
    ['2027-11-22T12:00:00Z', 'outdated'],
  ] as const)('of %s is %s', (updated, freshness) => {
    const updatedAt = updated === null ? null : new Date(updated);
    expect(feedFreshness({ updatedAt, staleAfterSeconds }, now)).toBe(freshness);
  });
});

describe('a failed sync', () => {
  it.each(feedFailureCauses)('for the cause %s has a way out', (cause) => {
    const ways = waysOutOf(cause);
    expect(ways.length).toBeGreaterThan(0);
    expect(new Set(ways).size).toBe(ways.length);
  });

  it.each(feedWaysOut)('has a sentence for the way %s', (way) => {
    expect(wayOutSentence(way)).toMatch(/^[A-Z].*\.$/);
  });
});
