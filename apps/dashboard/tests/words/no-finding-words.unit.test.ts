import { blindingGaps, unfixedOnlyInWords } from '../../src/words/knowledge.ts';
import { noneFoundInWords, notListedInWords } from '../../src/words/no-finding-words.ts';

describe('a host without a finding that has a fix', () => {
  it.each([
    [undefined, false, 'No finding with a fix is listed, but there may be some.'],
    ['unfixed', false, 'No finding without a fix is listed, but there may be some.'],
    ['all', false, 'No finding is listed, but there may be some.'],
    ['all', true, 'No finding that matches the filters is listed, but there may be some.'],
    [undefined, true, 'No finding with a fix that matches the filters is listed, but there may be some.'],
  ])('names what is not listed (fix %s, filtered %s)', (fix, isFiltered, words) => {
    expect(notListedInWords({ fix, isFiltered })).toBe(words);
  });

  it('has none only where every package was checked and the feed lists what has no fix', () => {
    expect(noneFoundInWords({ gaps: [], unknown_count: 0 })).toBe('None');
    expect(noneFoundInWords({ gaps: ['packages_unchecked'], unknown_count: 3 })).toBe(
      'None in checked packages',
    );
    expect(noneFoundInWords({ gaps: ['feed_lists_fixes_only'], unknown_count: 0 })).toBe('None with a fix');
  });

  it.each([...blindingGaps])('%s: has none of nothing', (gap) => {
    expect(noneFoundInWords({ gaps: [gap], unknown_count: 0 })).not.toBe('None');
  });

  it('names the known findings without a fix beside the others, where there are no others', () => {
    const counts = {
      critical_count: 0,
      important_count: 0,
      moderate_count: 0,
      low_count: 0,
      unrated_count: 0,
    };
    expect(unfixedOnlyInWords({ ...counts, unfixed_count: 1_105 })).toBe('1,105 without a fix');
    expect(unfixedOnlyInWords({ ...counts, unfixed_count: 0 })).toBe('');
    expect(unfixedOnlyInWords({ ...counts, low_count: 1, unfixed_count: 105 })).toBe('');
  });
});
