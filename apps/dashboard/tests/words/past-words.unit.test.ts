import { pastGapsInWords } from '../../src/words/past-words.ts';

describe('pastGapsInWords', () => {
  it('names what hid findings, the gap that hides most first', () => {
    expect(pastGapsInWords('packages_unchecked, feed_outdated')).toBe('Outdated feed, Unchecked packages');
  });

  it('says nothing of gaps that hide no finding, and of a missing header', () => {
    expect(pastGapsInWords('reboot_unknown, repositories_unknown')).toBe('');
    expect(pastGapsInWords(undefined)).toBe('');
  });
});
