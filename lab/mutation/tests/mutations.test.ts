import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mutated, testsOf, testsOfCases } from '../src/mutation.ts';
import { mutations } from '../src/mutations.ts';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const cases = testsOfCases(read('docs/matching-cases.tsv'));
const change = { from: 'a < b', to: 'a > b' };

it('replaces the only occurrence, and refuses a text that is absent, repeated or unchanged', () => {
  expect(mutated('if (a < b) c;', change)).toBe('if (a > b) c;');
  expect(mutated('if (a === b) c;', change)).toBeNull();
  expect(mutated('a < b, a < b', change)).toBeNull();
  expect(mutated('if (a < b) c;', { ...change, to: 'a < b' })).toBeNull();
  expect(mutated('abc', { from: '', to: 'x' })).toBeNull();
});

it('breaks each numbered case', () => {
  const broken = mutations.matching.flatMap(({ rule }) => (typeof rule === 'number' ? [rule] : []));
  expect([...new Set(broken)]).toEqual([...cases.keys()]);
});

it.each([...mutations.matching, ...mutations.service])(
  'fits the sources and has tests: $rule, $breaks',
  (mutation) => {
    expect(mutated(read(mutation.file), mutation)).not.toBeNull();
    for (const test of testsOf(mutation, cases))
      expect([test, existsSync(path.join(root, test))]).toEqual([test, true]);
  },
);

it('refuses a rule without tests', () => {
  const mutation = { rule: 'any', breaks: '', file: '', ...change };
  expect(() => testsOf(mutation, cases)).toThrow('rule any has no tests');
  expect(() => testsOf({ ...mutation, rule: 99 }, cases)).toThrow('rule 99 has no tests');
});

it('has an outcome for each mutation of matching, and no survivor', () => {
  expect(JSON.parse(read('docs/accuracy/mutations.json'))).toEqual(
    Object.fromEntries(mutations.matching.map(({ rule, breaks }) => [`${rule}: ${breaks}`, 'killed'])),
  );
});
