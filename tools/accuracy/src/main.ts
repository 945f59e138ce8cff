import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { InputError } from './input-error.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { reportLines } from './report/report-lines.ts';
import { readReviewed } from './reviewed.ts';
import { runAccuracy } from './run-accuracy.ts';

const usage = `npm run accuracy -- [--inventories DIR] [--feeds DIR] [--reviewed FILE] [--manifest FILE]
                    [--oracles DIR] [--only TEXT] [--named NUMBER]

Judges every host in DIR of inventories by every file in DIR of feeds, and compares with what is expected
(docs/accuracy.md). Ends with 1 for a difference that was not reviewed, with 64 for arguments that lead nowhere.
`;

const options = {
  inventories: { type: 'string' },
  feeds: { type: 'string' },
  reviewed: { type: 'string' },
  manifest: { type: 'string' },
  oracles: { type: 'string' },
  only: { type: 'string', default: '' },
  named: { type: 'string', default: '20' },
  help: { type: 'boolean', default: false },
} as const;

interface Places {
  readonly inventories: string;
  readonly feeds: string;
  readonly oracles: string | null;
  readonly manifest: string | null;
  readonly reviewed: string | null;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** The default data uses the project's own manifest and reviewed list; other folders contain theirs. */
function placesOf(values: Values, root: string): Places {
  const data = path.resolve(root, '..', 'shared', 'data');
  const own = (...parts: readonly string[]) => existing(path.join(data, ...parts));
  const inventories = values.inventories ?? own('inventories');
  const feeds = values.feeds ?? own('advisories');
  if (inventories === null || feeds === null) {
    throw new InputError(`There is no ${data}. Say with --inventories and --feeds where the files are.`);
  }
  for (const folder of [inventories, feeds]) {
    if (!existsSync(folder)) throw new InputError(`There is no ${folder}.`);
  }
  const known = values.inventories === undefined && values.feeds === undefined;
  const beside = (file: string) =>
    existing(known ? path.join(root, 'tools', 'accuracy', file) : path.join(inventories, file));
  return {
    inventories,
    feeds,
    oracles: values.oracles ?? (known ? own('version-oracles') : null),
    manifest: values.manifest ?? beside('accuracy.json'),
    reviewed: values.reviewed ?? beside('reviewed.json'),
  };
}

function existing(file: string): string | null {
  return existsSync(file) ? file : null;
}

async function main(args: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const named = Number(values.named);
  if (!Number.isInteger(named) || named < 0) throw new InputError('--named takes a number.');
  const places = placesOf(values, root);
  const now = new Date();
  const empty: Manifest = { inventories: {}, feeds: {}, evaluations: [] };
  const result = await runAccuracy({
    inventoriesFolder: places.inventories,
    feedsFolder: places.feeds,
    oraclesFolder: places.oracles,
    manifest: places.manifest === null ? empty : readManifest(places.manifest),
    reviewed: places.reviewed === null ? [] : readReviewed(places.reviewed),
    only: values.only,
    now,
  });
  process.stdout.write(`${reportLines(result, { named, now }).join('\n')}\n`);
  return result.failures.length === 0 ? 0 : 1;
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof InputError || (error instanceof Error && 'code' in error && isArgumentCode(error.code))
  );
}

function isArgumentCode(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

main(process.argv.slice(2), process.env['PLIMSOLL_ROOT'] ?? process.cwd()).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(isForPeople(error) ? `${error.message}\n\n${usage}` : `${describe(error)}\n`);
    process.exitCode = isForPeople(error) ? 64 : 70;
  },
);

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
