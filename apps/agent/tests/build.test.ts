import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { shells } from './shells.ts';

const folder = newFolder('build');
const names = ['collector-apt.sh', 'collector-rpm.sh', 'collector.sh', 'plimsoll-agent'];
const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../package.json'), 'utf8')) as {
  version: string;
};

beforeAll(() => buildScripts(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function textOf(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

it('builds the collectors and the agent, with the same bytes each time', () => {
  expect(readdirSync(folder).sort()).toEqual(names);
  const first = names.map(textOf);
  buildScripts(folder);
  expect(names.map(textOf)).toEqual(first);
});

it.each(names)('builds %s as one executable file with the version of package.json', (name) => {
  expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o755);
  expect(textOf(name)).toMatch(/^#!\/bin\/sh\n/);
  expect(textOf(name)).toContain(`\nversion='${version}'\n`);
  expect(textOf(name)).not.toContain('@VERSION@');
});

it.each(names)('%s has no eval, no duplicate function and no overlong line', (name) => {
  const lines = textOf(name).split('\n');
  expect(lines.filter((line) => /\beval\b/.test(line))).toEqual([]);
  const functions = lines.flatMap((line) => /^(\w+)\(\) [{(]$/.exec(line)?.[1] ?? []);
  expect(functions).toHaveLength(new Set(functions).size);
  expect(lines.filter((line) => line.length > 120 && !line.includes('pgpsig'))).toEqual([]);
});

it('collector.sh is shorter than the longest script that a host accepts', () => {
  expect(statSync(path.join(folder, 'collector.sh')).size).toBeLessThan(100 * 1024);
});

describe.each(shells)('$name', ({ command: [program, ...options] }) => {
  it.each(names)('parses %s', (name) => {
    const { status, stderr } = spawnSync(program, [...options, '-n', path.join(folder, name)]);
    // ksh warns about POSIX features for which it has newer ones.
    expect([status, program === 'ksh93' ? '' : stderr.toString()]).toEqual([0, '']);
  });
});
