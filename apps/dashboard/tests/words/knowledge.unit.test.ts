import { exemptGaps, findingGaps, gaps, updateGaps as modelUpdateGaps } from '@plimsoll/model';
import { gapOrder, gapWords } from '@plimsoll/words';
import {
  areFindingsKnown,
  areUnfixedKnown,
  areUpdatesKnown,
  blindingGaps,
  countInWords,
  gapsAmong,
  type Known,
  reasonOf,
  reasonsInWords,
  updateGaps,
} from '../../src/words/knowledge.ts';

const now = Date.parse('2026-11-22T10:14:05Z');
const host = (some: Partial<Known>): Known => ({
  gaps: [],
  os_name: 'rocky',
  os_version: '9.1',
  unknown_count: 0,
  feed_updated_at: '2025-02-18T06:00:00Z',
  reported_at: '2026-11-22T09:00:00Z',
  last_seen_at: '2026-11-22T09:01:00Z',
  repository_error: '',
  ...some,
});

describe('what is known of a host', () => {
  it('has words for every gap of the model', () => {
    expect([...gapOrder].sort()).toEqual([...gaps]);
    expect(Object.values(gapWords).filter(({ tone }) => tone === 'good')).toEqual([]);
  });

  it('agrees with the model on the gaps that hide findings and updates', () => {
    expect([...blindingGaps, 'packages_unchecked'].sort()).toEqual([...findingGaps].sort());
    expect([...updateGaps].sort()).toEqual([...modelUpdateGaps].sort());
  });

  it.each([...blindingGaps])('%s: no finding listed does not mean none', (gap) => {
    expect(areFindingsKnown(host({ gaps: [gap] }))).toBe(false);
    expect(areUnfixedKnown(host({ gaps: [gap] }))).toBe(false);
  });

  it.each([...exemptGaps])('%s alone hides no finding that has a fix', (gap) => {
    expect(areFindingsKnown(host({ gaps: [gap] }))).toBe(true);
  });

  it('knows no findings without a fix where the feed lists only those with one', () => {
    expect(areUnfixedKnown(host({ gaps: ['feed_lists_fixes_only'] }))).toBe(false);
    expect(areUnfixedKnown(host({}))).toBe(true);
  });

  it.each([...updateGaps])('%s: no update listed does not mean none', (gap) => {
    expect(areUpdatesKnown(host({ gaps: [gap] }))).toBe(false);
  });

  it.each([
    [0, true, '0'],
    [0, false, '?'],
    [1_200, false, '1,200'],
  ])('shows %d, known: %s, as %s', (count, isKnown, words) => {
    expect(countInWords(count, isKnown)).toBe(words);
  });

  it('lists the gap that hides most first, and gives each reason its facts', () => {
    const blind = host({ gaps: ['feed_outdated', 'no_feed', 'packages_unchecked'], unknown_count: 3 });
    expect(gapsAmong(blind)).toEqual(['no_feed', 'feed_outdated', 'packages_unchecked']);
    expect(reasonsInWords(blind, gapOrder, now)).toBe(
      'no advisory feed for Rocky Linux 9.1; advisory data of 18 Feb 2025 (21 months old); 3 installed packages cannot be checked',
    );
    const partly = host({ gaps: ['packages_unchecked'] });
    expect(reasonOf('packages_unchecked', partly, now)).toBe('not every package of its report could be read');
  });

  it.each([...gapOrder])('%s has a reason on every host, whatever it does not say', (gap) => {
    const bare = host({ os_name: '', os_version: '', feed_updated_at: null, reported_at: null });
    expect(reasonOf(gap, bare, now)).toMatch(/^[a-z0-9].{10,}$/);
  });
});
