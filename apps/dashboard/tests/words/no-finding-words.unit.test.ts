import { blindingGaps, unfixedOnlyInWords } from '../../src/words/knowledge.ts';
import {
  isNoneCalm,
  leftOutInWords,
  negligibleHostsInWords,
  noneFoundInWords,
  noneListedInWords,
  noneOpenInWords,
  noneThenInWords,
  notListedInWords,
} from '../../src/words/no-finding-words.ts';

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

  const all = {
    areWaivedLeftOut: false,
    areNegligibleLeftOut: false,
    areUnfixedKnown: true,
    isAllChecked: true,
  };
  it.each([
    [undefined, {}, 'No vulnerability with a fix'],
    ['unfixed', {}, 'No vulnerability without a fix'],
    ['all', {}, 'No vulnerability'],
    ['all', { areWaivedLeftOut: true }, 'No vulnerability that is not waived'],
    ['all', { areNegligibleLeftOut: true }, 'No vulnerability, negligible ones left out'],
    [undefined, { areNegligibleLeftOut: true }, 'No vulnerability with a fix, negligible ones left out'],
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

  it.each<[string | undefined, object, Partial<Parameters<typeof isNoneCalm>[1]>, boolean]>([
    ['all', {}, {}, true],
    [undefined, {}, {}, true],
    ['unfixed', {}, {}, false],
    [undefined, {}, { unfixed_count: 105 }, false],
    [undefined, {}, { gaps: ['feed_lists_fixes_only'] }, false],
    ['all', { areWaivedLeftOut: true }, {}, false],
    ['all', { isAllChecked: false }, {}, false],
  ])('looks calm only if nothing is left out that is known (fix %s, %j, %j)', (fix, known, host, isCalm) => {
    expect(isNoneCalm({ fix, ...all, ...known }, { gaps: [], unfixed_count: 0, ...host })).toBe(isCalm);
  });

  it('is titled by what a list of a past time leaves out', () => {
    const everything = { fix: 'all', waived: 'true', negligible: 'true' };
    expect(noneThenInWords({ ...everything, severity: undefined })).toBe('No finding is listed');
    for (const some of [
      { fix: undefined },
      { waived: undefined },
      { waived: 'only' },
      { negligible: undefined },
      { severity: 'low' },
    ])
      expect(noneThenInWords({ ...everything, ...some })).toBe('No finding of this kind is listed');
  });

  it.each<[Partial<Parameters<typeof noneFoundInWords>[0]>, string]>([
    [{}, 'None, negligible left out'],
    [{ gaps: ['packages_unchecked'], unknown_count: 3 }, 'None in checked packages, negligible left out'],
    [{ waived_count: 2 }, 'None, waived and negligible left out'],
    [{ gaps: ['feed_lists_fixes_only'] }, 'None with a fix, negligible left out'],
    [
      { gaps: ['feed_lists_fixes_only', 'packages_unchecked'], unknown_count: 1 },
      'None with a fix in checked packages, negligible left out',
    ],
  ])('has none only of what is known and counted (%j): %s', (host, words) => {
    expect(noneFoundInWords({ gaps: [], unknown_count: 0, waived_count: 0, ...host })).toBe(words);
  });

  it.each([...blindingGaps])('%s: has none of nothing', (gap) => {
    expect(noneFoundInWords({ gaps: [gap], unknown_count: 0, waived_count: 0 })).not.toMatch(/^None,/);
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

it.each([
  [false, true, 'No open findings, negligible ones left out'],
  [true, true, 'No open findings that are not waived, negligible ones left out'],
  [false, false, 'No open findings are known, negligible ones left out'],
])(
  'a fleet without open findings (waived left out: %s, known: %s): %s',
  (areWaivedLeftOut, isKnown, words) => {
    expect(noneOpenInWords({ areWaivedLeftOut, isKnown })).toBe(words);
  },
);

it.each([
  [true, true, 'Waived and negligible ones are left out.'],
  [true, false, 'Waived ones are left out.'],
  [false, true, 'Negligible ones are left out.'],
  [false, false, ''],
])('a filtered list (waived left out: %s, negligible ones: %s) says: %s', (waived, negligible, words) => {
  expect(leftOutInWords({ areWaivedLeftOut: waived, areNegligibleLeftOut: negligible })).toBe(words);
});

it.each([
  [0, 'the findings of each host have them with “Include negligible” and “With or without a fix”.'],
  [1, 'the page of its CVE has them.'],
  [2, 'the pages of its CVEs have them.'],
])('an advisory with %s CVEs names the place of hosts that it affects only as negligible', (cves, where) => {
  expect(negligibleHostsInWords(cves)).toBe(
    `Hosts that it affects only as negligible are not counted; ${where}`,
  );
});
