import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile } from './worker-under-test.ts';

const catalog = JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2026-10000', dateAdded: '2026-11-01' }] });

const database = databasePerTest();

it('an uploaded file is read in the folder for downloads, which is empty afterwards', async () => {
  const context = contextOf(database, null);
  const { folder } = context.downloadSettings;
  expect(await importFile(context, catalog)).toMatchObject({ state: 'done', recordsRejected: 0 });
  expect(await readdir(folder)).toEqual([]);
  expect(await importFile(context, '<html>')).toMatchObject({ state: 'failed' });
  expect(await readdir(folder)).toEqual([]);
});

it('an import whose folder cannot be used fails with the reason', async () => {
  const context = contextOf(database, null);
  const { folder } = context.downloadSettings;
  await mkdir(path.dirname(folder), { recursive: true });
  await writeFile(folder, 'a file');
  const imported = await importFile(context, catalog);
  expect(imported?.state).toBe('failed');
  expect(JSON.stringify(imported?.errors)).toMatch(/feeds\.download_dir/);
  await rm(folder);
});
