/**
 * `npm run reproducible`: checks HEAD out into two folders, installs by `npm ci`, builds, and compares every
 * built file. The first installation may fetch what the local npm cache lacks, the second works offline. Exit code 1 if
 * any file differs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFiles } from './built-files.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const say = (text) => process.stdout.write(`${text}\n`);

/** Fixed for both builds: HEAD may move meanwhile. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();

/** Builds the commit in a new folder and returns the hashes of its files. The folders' names have different lengths. */
function build(name, cache) {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  try {
    const run = (program, ...args) =>
      execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder], { stdio: 'inherit' });
    run('git', 'checkout', '--quiet', commit);
    run('npm', 'ci', cache, '--ignore-scripts');
    run('node', 'bootstrap.mjs', 'build');
    return builtFiles(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const first = build('plimsoll-first-', '--prefer-offline');
const second = build('plimsoll-the-second-', '--offline');
const names = [...new Set([...first.keys(), ...second.keys()])];
const different = names.filter((name) => first.get(name) !== second.get(name));
for (const name of different) say(`differs: ${name}`);
say(`${names.length} built files, ${different.length} of them differ`);
process.exitCode = different.length > 0 ? 1 : 0;
