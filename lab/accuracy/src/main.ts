import process from 'node:process';
import { parseArgs } from 'node:util';
import { InputError } from './input-error.ts';
import { placeOptions, requestOf } from './places.ts';
import { reportLines } from './report/report-lines.ts';
import { runAccuracy } from './run-accuracy.ts';
import { runProgram } from './run-program.ts';

const usage = `npm run accuracy -- [--inventories DIR] [--feeds DIR] [--reviewed FILE] [--manifest FILE]
                    [--oracles DIR] [--only TEXT] [--named NUMBER]

Judges every host in DIR of inventories by every file in DIR of feeds, and compares with what is expected
(docs/accuracy.md). Ends with 1 for a difference that was not reviewed, with 64 for arguments that lead nowhere.
`;

const options = {
  ...placeOptions,
  only: { type: 'string', default: '' },
  named: { type: 'string', default: '20' },
  help: { type: 'boolean', default: false },
} as const;

async function main(args: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const named = Number(values.named);
  if (!Number.isInteger(named) || named < 0) throw new InputError('--named takes a number.');
  const now = new Date();
  const result = await runAccuracy({ ...requestOf(values, root, now), only: values.only });
  process.stdout.write(`${reportLines(result, { named, now }).join('\n')}\n`);
  return result.failures.length === 0 ? 0 : 1;
}

runProgram(main, usage);
