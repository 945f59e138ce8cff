import type { Gap } from '@plimsoll/model';
import { gapOfSilence, type SilenceFacts } from '../../src/index.ts';

const published = new Date('2026-03-01T00:00:00Z');
const known: SilenceFacts = {
  gaps: [],
  feedUpdatedAt: new Date('2026-03-01T00:00:00Z'),
  publishedAt: published,
  isNamed: false,
};

describe('missing statements about a host’s packages', () => {
  it.each<[Gap | null, Partial<SilenceFacts>]>([
    [null, {}],
    [null, { gaps: ['packages_unchecked', 'reboot_unknown', 'feed_outdated', 'package_lists_unknown'] }],
    ['no_report', { gaps: ['no_report'] }],
    ['no_feed', { gaps: ['no_feed', 'release_eol'] }],
    ['feed_never_synced', { gaps: ['feed_never_synced'] }],
    ['release_eol', { gaps: ['release_eol', 'feed_lists_fixes_only'] }],
    ['release_eol', { gaps: ['release_eol'], isNamed: true }],
    ['feed_outdated', { feedUpdatedAt: new Date('2026-02-28T23:59:59Z') }],
    ['feed_outdated', { feedUpdatedAt: null }],
    ['feed_outdated', { publishedAt: null }],
    [null, { publishedAt: null, isNamed: true }],
    [null, { feedUpdatedAt: new Date('2026-02-01T00:00:00Z'), isNamed: true }],
    ['feed_lists_fixes_only', { gaps: ['feed_lists_fixes_only'] }],
    [null, { gaps: ['feed_lists_fixes_only'], isNamed: true }],
    ['report_outdated', { gaps: ['report_outdated'] }],
    ['report_outdated', { gaps: ['report_outdated'], isNamed: true }],
  ])('is stopped by %s from meaning "not affected" given %j', (gap, facts) => {
    expect(gapOfSilence({ ...known, ...facts })).toBe(gap);
  });
});
