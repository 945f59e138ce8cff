import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '@plimsoll/testing';
import { watchBundle } from '../src/service/watch-bundle.ts';

let folder = '';
let changes = 0;
let stop = async (): Promise<void> => undefined;

beforeEach(async () => {
  changes = 0;
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'plimsoll-bundle-')), 'dist');
  await mkdir(path.join(folder, 'uploads'), { recursive: true });
  await writeFile(path.join(folder, 'main.js'), '1');
});

afterEach(async () => {
  await stop();
  await rm(path.dirname(folder), { recursive: true });
});

const watch = (): void => {
  stop = watchBundle(folder, async () => {
    changes += 1;
  });
};
const changed = (times: number): Promise<void> =>
  waitFor(`the bundle to have changed ${times} times`, async () => changes === times);

it('detects a changed file, a new one below, and a replaced folder', async () => {
  watch();
  await writeFile(path.join(folder, 'main.js'), 'other');
  await changed(1);
  await writeFile(path.join(folder, 'uploads', 'upload-thread.js'), '1');
  await changed(2);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(path.join(folder, 'main.js'), 'third');
  await changed(3);
});

it('ignores other files, and everything once it is stopped', async () => {
  watch();
  await writeFile(path.join(folder, 'main.js.map'), '{}');
  await writeFile(path.join(folder, 'main.js'), 'other');
  await changed(1);
  await stop();
  await writeFile(path.join(folder, 'main.js'), 'later');
  await stop();
  expect(changes).toBe(1);
});
