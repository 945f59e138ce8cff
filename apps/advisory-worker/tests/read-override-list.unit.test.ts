import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { knownFeedErrors } from '@plimsoll/advisories';
import { readOverrideList } from '../src/read-override-list.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-overrides-'));
  file = path.join(folder, 'overrides.json');
});
afterAll(() => rm(folder, { recursive: true }));

it('is the list of the project without a file', async () => {
  expect(await readOverrideList(null)).toEqual({ origin: 'project', overrides: knownFeedErrors });
});

it('is the file of the operator alone, even if it is empty', async () => {
  await writeFile(file, '[]');
  expect(await readOverrideList(file)).toEqual({ origin: 'operator', overrides: [] });
});

it.each([
  ['{', /must name a file in valid JSON/],
  ['{}', /names a file with a mistake: the list must be a list/],
  ['[{"cve": 1}]', /\/0\/cve must be the id of a CVE/],
  [`[${' '.repeat(1024 * 1024)}]`, /at most 1048576 bytes/],
])('with mistakes stops the start and says why: %#', async (text, message) => {
  await writeFile(file, text);
  await expect(readOverrideList(file)).rejects.toThrow(message);
  await expect(readOverrideList(file)).rejects.toThrow(/advisories\.overrides_file/);
});

it('that is missing stops the start', async () => {
  await expect(readOverrideList(path.join(folder, 'none.json'))).rejects.toThrow(/that can be read/);
});
