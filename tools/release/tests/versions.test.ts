import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { productVersionOf, versionedFiles, writeVersion } from '../src/versions.ts';

const root = path.resolve(__dirname, '../../..');
const foldersOf = (files: readonly { readonly file: string }[]): readonly string[] =>
  files.map(({ file }) => path.dirname(file));

it('every workspace except the agent, and the service, have the version of package.json', () => {
  const files = versionedFiles(root);
  const version = productVersionOf(root);
  expect(files.filter((found) => found.version !== version)).toEqual([]);
  expect(foldersOf(files)).toEqual(expect.arrayContaining(['apps/api', 'packages/db']));
  expect(foldersOf(files)).not.toContain('apps/agent');
  expect(files.filter(({ file }) => file.endsWith('product-version.ts'))).toHaveLength(1);
});

it('is written to every file, including the lock file', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'plimsoll-release-'));
  try {
    const files = ['package.json', 'package-lock.json', 'apps/agent/package.json'];
    for (const file of [...files, ...versionedFiles(root).map(({ file }) => file)]) {
      cpSync(path.join(root, file), path.join(copy, file));
    }
    const agent = readFileSync(path.join(copy, 'apps/agent/package.json'), 'utf8');
    writeVersion(copy, '9.8.7');
    expect(productVersionOf(copy)).toBe('9.8.7');
    expect(versionedFiles(copy).filter(({ version }) => version !== '9.8.7')).toEqual([]);
    expect(versionedFiles(copy)).toHaveLength(versionedFiles(root).length);
    expect(readFileSync(path.join(copy, 'apps/agent/package.json'), 'utf8')).toBe(agent);
    const lock = readFileSync(path.join(copy, 'package-lock.json'), 'utf8');
    const before = readFileSync(path.join(root, 'package-lock.json'), 'utf8').split('\n');
    const changed = lock.split('\n').filter((line, index) => line !== before[index]);
    expect(new Set(changed.map((line) => line.trim().replace(/,$/, '')))).toEqual(
      new Set(['"version": "9.8.7"']),
    );
    expect(changed.length).toBeGreaterThan(10);
  } finally {
    rmSync(copy, { recursive: true });
  }
});
