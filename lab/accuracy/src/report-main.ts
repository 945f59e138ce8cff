import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { InputError } from './input-error.ts';
import { cassettesOf, labelsOf, placeOptions, requestOf } from './places.ts';
import { readInput } from './read-input.ts';
import { type AccuracyRequest, runAccuracy } from './run-accuracy.ts';
import { runProgram } from './run-program.ts';
import { readBrokenRules } from './score/broken-rules.ts';
import { readFigures } from './score/figures.ts';
import { figuresOf } from './score/figures-of.ts';
import { worseThan } from './score/gate.ts';
import { reportHtml } from './score/report-page.ts';

const usage = `npm run accuracy:report -- [--check] [--output DIR] [--inventories DIR] [--feeds DIR] [--reviewed FILE]
                           [--manifest FILE] [--oracles DIR] [--labels DIR] [--osv-scanner DIR]

Judges all hosts and writes index.html and figures.json to DIR, docs/accuracy by default
(docs/accuracy.md). --labels: a folder of match labels; --osv-scanner: one of recorded answers.
--check writes nothing: it compares with the figures.json there and prints what is worse.
Ends with 1 for a difference that was not reviewed or a figure that is worse, with 64 for arguments that lead nowhere.
`;

const options = {
  ...placeOptions,
  check: { type: 'boolean', default: false },
  output: { type: 'string' },
  labels: { type: 'string' },
  'osv-scanner': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

async function main(args: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const folder = values.output ?? path.join(root, 'docs', 'accuracy');
  const file = path.join(folder, 'figures.json');
  const committed = values.check ? readFigures(file) : null;
  const compared = {
    labels: labelsOf(values.labels, root),
    cassettes: cassettesOf(values['osv-scanner'], root),
  };
  if (!values.check) refuseToDrop(file, compared);
  const result = await runAccuracy({
    ...requestOf(values, root, new Date()),
    ...compared,
  });
  const figures = figuresOf(result);
  const worse = committed === null ? [] : worseThan(committed, figures);
  if (committed === null) {
    const broken = readBrokenRules(path.join(folder, 'mutations.json'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    writeFileSync(path.join(folder, 'index.html'), reportHtml(figures, broken));
  }
  const problems = [...result.failures, ...worse];
  const end = committed === null ? `${path.join(folder, 'index.html')} is written.` : 'Nothing is worse.';
  process.stdout.write(`${(problems.length === 0 ? [end] : problems).join('\n')}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** New figures must not lose a comparison that the committed ones have: the gate would no longer guard it. */
function refuseToDrop(
  file: string,
  { labels, cassettes }: Pick<AccuracyRequest, 'labels' | 'cassettes'>,
): void {
  if (!existsSync(file)) return;
  const committed: unknown = JSON.parse(readInput(file));
  const has = (name: string) =>
    typeof committed === 'object' && committed !== null && Reflect.get(committed, name) != null;
  if (labels === null && has('labels')) {
    throw new InputError(`${file} has match labels: name their folder with --labels.`);
  }
  if (cassettes === null && has('osvScanner')) {
    throw new InputError(`${file} has answers of osv-scanner: name their folder with --osv-scanner.`);
  }
}

runProgram(main, usage);
