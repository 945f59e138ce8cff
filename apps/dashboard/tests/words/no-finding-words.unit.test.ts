import { blindingGaps, unfixedOnlyInWords } from '../../src/words/knowledge.ts';
import { noneFoundInWords, noneListedInWords, notListedInWords } from '../../src/words/no-finding-words.ts';

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

  const all = { areWaivedLeftOut: false, areUnfixedKnown: true, isAllChecked: true };
  it.each([
    [undefined, {}, 'No vulnerability with a fix'],
    ['unfixed', {}, 'No vulnerability without a fix'],
    ['all', {}, 'No vulnerability'],
    ['all', { areWaivedLeftOut: true }, 'No vulnerability that is not waived'],
    ['all', { areUnfixedKnown: false }, 'No vulnerability with a fix'],
    ['all', { isAllChecked: false }, 'No vulnerability in the packages that can be checked'],
    [
      undefined,
      { areWaivedLeftOut: true, isAllChecked: false },
      'No vulnerability with a fix that is not waived in the packages that can be checked',
    ],
  ])('claims no more than the list shows and what is known (fix %s, %j)', (fix, known, words) => {
    expect(noneListedInWords({ fix, ...all, ...known })).toBe(words);
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
