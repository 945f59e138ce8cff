/**
 * `npm run release -- X.Y.Z`: writes the version to every file and a section to CHANGELOG.md, commits both and tags
 * the commit vX.Y.Z. Does not push. `--dry-run` prints the section and changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Commit, withRelease } from './changelog.ts';
import { productVersionOf, writeVersion } from './versions.ts';

const root = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const changelogFile = path.join(root, 'CHANGELOG.md');
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** The commits since the last release's tag, or since CHANGELOG.md was added. Oldest first. */
function commitsSince(version: string): readonly Commit[] {
  const tag = git('tag', '--list', `v${version}`).trim();
  const firsts = git('log', '--diff-filter=A', '--format=%H', '--', 'CHANGELOG.md').trim().split('\n');
  const start = tag === '' ? firsts.at(-1) : tag;
  if (start === undefined || start === '') throw new Error('CHANGELOG.md is not committed');
  const log = git('log', '--reverse', '--no-merges', '--format=%s%x1f%b%x1e', `${start}..HEAD`);
  return log
    .split('\x1e')
    .map((entry) => entry.trim().split('\x1f'))
    .filter(([subject = '']) => subject !== '')
    .map(([subject = '', body = '']) => ({ subject, body }));
}

function requireNewer(version: string, current: string): void {
  const numbers = (text: string): readonly number[] => text.split('.').map(Number);
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`usage: npm run release -- X.Y.Z [--dry-run], three numbers; now it is ${current}`);
  const old = numbers(current);
  const differing = numbers(version).findIndex((number, index) => number !== old[index]);
  if (differing < 0 || (numbers(version)[differing] ?? 0) < (old[differing] ?? 0))
    throw new Error(`${version} is not newer than ${current}`);
}

function release(version: string, isDry: boolean): void {
  const current = productVersionOf(root);
  requireNewer(version, current);
  if (!isDry && git('status', '--porcelain') !== '') throw new Error('commit or put away your changes first');
  const day = new Date().toISOString().slice(0, 10);
  const before = readFileSync(changelogFile, 'utf8');
  const after = withRelease(before, version, day, commitsSince(current));
  if (isDry) {
    process.stdout.write(after.slice(after.indexOf(`## ${version},`)));
    return;
  }
  writeFileSync(changelogFile, after);
  writeVersion(root, version);
  git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Plimsoll ${version}`);
  process.stdout.write(
    `Committed and tagged v${version}. Push it: git push --follow-tags\nUndo: git tag -d v${version} && git reset --hard HEAD~1\n`,
  );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  release(positionals[0] ?? '', values['dry-run']);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
