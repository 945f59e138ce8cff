import { spawn } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import { lockDataDir } from '../src/index.ts';
import { processStart } from '../src/process-identity.ts';
import { killHard } from './run-supervisor.ts';

const root = folderPerFile();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'lock-'));
});

it('is granted to exactly one of many simultaneous callers', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => lockDataDir(folder)));
  expect(results.filter(({ kind }) => kind === 'locked')).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});

it('names its holder and where that can be reached', async () => {
  const first = await lockDataDir(folder);
  if (first.kind === 'locked') await first.lock.announce('http://127.0.0.1:8080');
  expect(await lockDataDir(folder)).toEqual({ kind: 'held', pid: process.pid, url: 'http://127.0.0.1:8080' });
});

it('is free again after its release', async () => {
  const first = await lockDataDir(folder);
  if (first.kind === 'locked') await first.lock.release();
  expect((await lockDataDir(folder)).kind).toBe('locked');
});

it('is free when its holder was killed', async () => {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const pid = holder.pid ?? 0;
  await writeFile(
    path.join(folder, 'lock.7'),
    JSON.stringify({ pid, start: await processStart(pid), url: null }),
  );
  expect(await lockDataDir(folder)).toEqual({ kind: 'held', pid, url: null });
  await killHard(holder);
  expect((await lockDataDir(folder)).kind).toBe('locked');
});

it.each([
  [
    'another process has the id of its holder now',
    JSON.stringify({ pid: process.pid, start: 'earlier', url: null }),
  ],
  ['a power cut left it empty', ''],
  ['it holds something else', '[1]'],
])('is free when %s', async (_, text) => {
  await writeFile(path.join(folder, 'lock.7'), text);
  const results = await Promise.all(Array.from({ length: 20 }, () => lockDataDir(folder)));
  expect(results.filter(({ kind }) => kind === 'locked')).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});
