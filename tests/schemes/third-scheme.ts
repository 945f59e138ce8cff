import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');

/** The names added to packages/model: list and file. */
const additions = [
  { file: 'version-scheme.ts', list: 'versionSchemes', word: 'third-scheme' },
  { file: 'package-family.ts', list: 'packageFamilies', word: 'third-family' },
  { file: 'package-family.ts', list: 'packageManagers', word: 'third-manager' },
  { file: 'feed-format.ts', list: 'formats', word: 'fifth-kind' },
] as const;

/** A name added to one of the closed lists. */
export type AddedWord = (typeof additions)[number]['word'];

/** The compiler's errors for the workspace with the added names. */
export interface TypeErrors {
  /**
   * The files with a table that has no entry for the name, sorted; a file appears once for each such table.
   */
  readonly missing: Readonly<Record<AddedWord, readonly string[]>>;
  /** Every other error. */
  readonly others: readonly string[];
}

/**
 * Type-checks all apps, packages, tools, the lab and examples against a copy of packages/model whose lists of
 * schemes, families, managers and kinds of feed have one more name.
 */
export function checkWithThirdScheme(): TypeErrors {
  const folder = mkdtempSync(path.join(tmpdir(), 'third-scheme-'));
  try {
    cpSync(path.join(root, 'packages/model/src'), path.join(folder, 'model'), { recursive: true });
    for (const { file, list, word } of additions) addWord(path.join(folder, 'model', file), list, word);
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [compiler, '--pretty', 'false', '-p', path.join(folder, 'tsconfig.json')],
      { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
    );
    if (status === null) throw new Error(`the compiler was ended: ${stderr}`);
    return sortedErrors(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One program for everything, with the dashboard's options, which also suit the other sources. */
const configuration = {
  extends: path.join(root, 'apps/dashboard/tsconfig.json'),
  compilerOptions: { noEmit: true, paths: { '@plimsoll/model': ['./model/index.ts'] } },
  include: [
    'apps/*/src',
    'packages/*/src',
    'packages/versions/tests',
    'tools/*/src',
    'lab/*/src',
    'lab/benches',
    'examples',
  ].map((folder) => path.join(root, folder)),
  exclude: [path.join(root, 'packages/model/src')],
};

function addWord(file: string, list: string, word: string): void {
  const text = readFileSync(file, 'utf8');
  const extended = text
    .replace(new RegExp(`(export const ${list} = \\[[^\\]]*?),?\\s*\\]`), `$1, '${word}']`)
    .replace(`const ${list} = {\n`, `const ${list} = {\n  '${word}': ['${word}'],\n`);
  if (extended === text) throw new Error(`${file} has no list ${list}`);
  writeFileSync(file, extended);
}

const missingEntry = /^([^(]+)\(\d+,\d+\): error TS2741: Property '"((?:third|fifth)-[a-z]+)"' is missing/;

function sortedErrors(output: string): TypeErrors {
  const missing: Record<AddedWord, string[]> = {
    'third-scheme': [],
    'third-family': [],
    'third-manager': [],
    'fifth-kind': [],
  };
  const others: string[] = [];
  // Indented lines continue the error above them.
  for (const line of output.split('\n').filter((text) => /^\S/.test(text))) {
    const [, file = '', named] = missingEntry.exec(line) ?? [];
    const word = additions.find((addition) => addition.word === named)?.word;
    if (word === undefined) others.push(line);
    else missing[word].push(file);
  }
  for (const files of Object.values(missing)) files.sort();
  return { missing, others };
}
