import { dueStates, fixStates, severities } from '@plimsoll/model';
import {
  actionWords,
  coverageWords,
  dueWords,
  fixWords,
  gapWords,
  pullErrorWords,
  severityWords,
  statusWords,
  updatesWords,
  uploadWords,
  type Word,
} from '../src/index.ts';

const tables: readonly (readonly [
  what: string,
  words: Readonly<Record<string, Word>>,
  good: readonly string[],
])[] = [
  ['fix states', fixWords, ['installable', 'livepatched']],
  ['severities', severityWords, []],
  ['gaps', gapWords, []],
  ['actions', actionWords, ['none']],
  ['states of reports', statusWords, ['active']],
  ['coverage', coverageWords, ['full']],
  ['reboots and restarts', dueWords, ['not_needed']],
  ['updates', updatesWords, ['known']],
  ['uploads', uploadWords, ['matched']],
];

describe.each(tables)('the words of %s', (_what, words, good) => {
  it('show as good only what is known to be good', () => {
    const shown = Object.keys(words).filter((code) => words[code]?.tone === 'good');
    expect(shown.sort()).toEqual([...good].sort());
  });

  it('differ, and each has its own sentence', () => {
    const all = Object.values(words);
    expect(all.length).toBeGreaterThan(2);
    expect(new Set(all.map((word) => word.words)).size).toBe(all.length);
    expect(new Set(all.map(({ meaning }) => meaning)).size).toBe(all.length);
    expect(all.filter(({ meaning }) => !/^[A-Z].+\.$/.test(meaning))).toEqual([]);
  });
});

it('has a word for each fix state, severity and due state of the model', () => {
  expect(Object.keys(fixWords).sort()).toEqual([...fixStates].sort());
  expect(Object.keys(severityWords).sort()).toEqual([...severities].sort());
  expect(Object.keys(dueWords).sort()).toEqual([...dueStates].sort());
});

it('calls no fix available that is only published, withheld or missing', () => {
  const offered = Object.entries(fixWords).filter(([, { meaning }]) =>
    /repositories offer the fix/.test(meaning),
  );
  expect(offered.map(([state]) => state)).toEqual(['installable']);
  expect(fixWords.fix_published.meaning).toContain('is not known');
});

it('advises on each failed pull in its own sentence', () => {
  const advice = Object.values(pullErrorWords).map((error) => error.advice);
  expect(advice.length).toBeGreaterThan(5);
  expect(new Set(advice).size).toBe(advice.length);
});
