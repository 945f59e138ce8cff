import { feedWord } from '../../src/words/feed-words.ts';

const feed = { stale_after_seconds: 3 * 86_400, import_only: false, needed_by_hosts: 2 } as const;

describe('the state of a feed', () => {
  it.each([
    [{ ...feed, freshness: 'current' }, 'Up to date', 'good', 'Its data is not older than 3 days.'],
    [
      { ...feed, freshness: 'outdated' },
      'Outdated',
      'important',
      'Its data is older than 3 days: newer advisories are missing.',
    ],
    [
      { ...feed, freshness: 'outdated', needed_by_hosts: 0 },
      'Outdated',
      'neutral',
      'Its data is older than 3 days: newer advisories are missing.',
    ],
    [
      { ...feed, freshness: 'never_synced' },
      'Never synced',
      'important',
      'Hosts need it, and nothing was fetched.',
    ],
    [
      { ...feed, freshness: 'never_synced', import_only: true },
      'Manual import',
      'important',
      'Hosts need it, and nothing was imported.',
    ],
    [
      { ...feed, freshness: 'never_synced', needed_by_hosts: 0 },
      'Not needed by any host',
      'neutral',
      'Nothing was fetched or imported, and no approved host needs it.',
    ],
  ] as const)('%j: %s', (shown, words, tone, meaning) => {
    expect(feedWord(shown)).toEqual({ words, tone, meaning });
  });

  it('names a limit below two days in hours', () => {
    expect(feedWord({ ...feed, freshness: 'current', stale_after_seconds: 36 * 3_600 }).meaning).toBe(
      'Its data is not older than 36 hours.',
    );
  });
});
