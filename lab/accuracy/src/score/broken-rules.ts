import { existsSync } from 'node:fs';
import { z } from 'zod';
import { parseJsonFile } from '../manifest.ts';
import { number, type Section } from './page.ts';

/** `rule: how it is broken` -> whether a test of the rule fails; a rule is a number of docs/matching-cases.tsv, or a name. */
const brokenRules = z.record(z.string(), z.enum(['killed', 'survived']));

/** The rules that `npm run accuracy:mutation` broke, with the outcomes. */
export type BrokenRules = z.output<typeof brokenRules>;

/** Reads committed outcomes; null: there are none. Throws InputError for an invalid file. */
export function readBrokenRules(file: string): BrokenRules | null {
  return existsSync(file) ? parseJsonFile(file, brokenRules) : null;
}

/** The section about broken rules: survivors first. */
export function brokenSection(broken: BrokenRules | null): Section {
  const title = 'Rules broken on purpose';
  if (broken === null) return { title, text: ['Not known: `npm run accuracy:mutation` finds out.'] };
  const rules = Object.entries(broken);
  const survivors = rules.filter(([, outcome]) => outcome === 'survived');
  return {
    title,
    text: [
      '`npm run accuracy:mutation` breaks each rule in a copy of the project and runs the tests that guard it: one of them must ' +
        'fail. A rule is a number of [matching-cases.tsv](../matching-cases.tsv), or a name. ' +
        `${number(rules.length)} are broken, ${number(survivors.length)} of them unnoticed.`,
    ],
    table: {
      columns: [
        ['Rule: broken so that', 'text'],
        ['Tests', 'text'],
      ],
      rows: [...survivors, ...rules.filter(([, outcome]) => outcome === 'killed')].map(([rule, outcome]) => [
        rule,
        outcome === 'killed' ? 'fail, as they must' : '**pass**',
      ]),
    },
  };
}
