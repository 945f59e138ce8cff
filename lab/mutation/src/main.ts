import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Mutation, type MutationOutcome, mutated, testsOf, testsOfCases } from './mutation.ts';
import { mutations } from './mutations.ts';
import { ProjectCopy } from './project-copy.ts';

const usage = `npm run accuracy:mutation -- [--service] [--only TEXT]

Breaks each rule of matching on purpose in a copy of the project, one by one, and runs the tests that guard it. Writes
the outcomes to docs/accuracy/mutations.json, which the accuracy report shows; with --only, which takes the rules and
files whose name contains TEXT, it writes nothing. Takes 5 to 15 minutes. Ends with 1 if a broken rule survives.

With --service it breaks the rules of counting, judging, due dates, waivers, history, scopes and notifications instead,
and writes nothing. Their tests need servers: 20 to 40 minutes.
`;

/** The tests of one rule take seconds. */
const timeoutMs = 10 * 60_000;

function main(args: readonly string[], root: string): number {
  const { values } = parseArgs({
    args: [...args],
    options: {
      service: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const all = mutations[values.service ? 'service' : 'matching'];
  const wanted = all.filter(({ rule, file }) => `${rule} ${file}`.includes(values.only));
  if (wanted.length === 0) throw new Error(`no rule and no file contains "${values.only}"`);
  const results = breakEach(wanted, root);
  const file = path.join(root, 'docs', 'accuracy', 'mutations.json');
  if (values.only === '' && !values.service) writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const outcomes = Object.values(results);
  const survivors = outcomes.filter((outcome) => outcome === 'survived');
  process.stdout.write(`${outcomes.length} rules broken, ${survivors.length} of them survive.\n`);
  return survivors.length === 0 ? 0 : 1;
}

function breakEach(wanted: readonly Mutation[], root: string): Readonly<Record<string, MutationOutcome>> {
  const cases = testsOfCases(readFileSync(path.join(root, 'docs', 'matching-cases.tsv'), 'utf8'));
  const broken = wanted.map((mutation) => ({
    mutation,
    text: brokenText(mutation, root),
    tests: testsOf(mutation, cases),
  }));
  const copy = ProjectCopy.of(root);
  try {
    // Tests that fail in any case would kill every mutation.
    const all = [...new Set(broken.flatMap(({ tests }) => tests))];
    if (!copy.pass(all, timeoutMs)) throw new Error('the tests fail without any mutation');
    const outcomes = broken.map(
      ({ mutation: { rule, breaks, file }, text, tests }): [string, MutationOutcome] => {
        const outcome = copy.with(file, text, () => copy.pass(tests, timeoutMs)) ? 'survived' : 'killed';
        process.stdout.write(`${outcome}: ${rule}: ${breaks}\n`);
        return [`${rule}: ${breaks}`, outcome];
      },
    );
    return Object.fromEntries(outcomes);
  } finally {
    copy.remove();
  }
}

function brokenText(mutation: Mutation, root: string): string {
  const text = mutated(readFileSync(path.join(root, mutation.file), 'utf8'), mutation);
  if (text === null) throw new Error(`${mutation.file} does not hold "${mutation.from}" exactly once`);
  return text;
}

try {
  process.exitCode = main(process.argv.slice(2), process.env['PLIMSOLL_ROOT'] ?? process.cwd());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 64;
}
