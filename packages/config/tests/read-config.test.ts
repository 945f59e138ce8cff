import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../src/index.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-config-'));
  await writeFile(path.join(folder, 'plimsoll.yaml'), 'api.port: 1\n');
  await writeFile(path.join(folder, 'other.yaml'), 'api.port: 2\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function portOf(configPath: string | null, env: Record<string, string> = {}): Promise<number> {
  return readConfig({ env, configPath, projectDir: folder }).then((config) => config['api.port']);
}

it('reads plimsoll.yaml of the project folder when nothing names a file', async () => {
  expect(await portOf(null)).toBe(1);
});

it('reads the file of --config before that of PLIMSOLL_CONFIG', async () => {
  expect(await portOf('other.yaml', { PLIMSOLL_CONFIG: 'missing.yaml' })).toBe(2);
  expect(await portOf(null, { PLIMSOLL_CONFIG: path.join(folder, 'other.yaml') })).toBe(2);
});

it('reads no file at all when PLIMSOLL_CONFIG is empty', async () => {
  expect(await portOf(null, { PLIMSOLL_CONFIG: '' })).toBe(8080);
});

it('refuses a named file that does not exist', async () => {
  await expect(portOf('missing.yaml')).rejects.toThrow(/missing\.yaml/);
});

it('does without plimsoll.yaml where there is none', async () => {
  const config = await readConfig({ env: {}, configPath: null, projectDir: path.join(folder, 'nowhere') });
  expect(config['api.port']).toBe(8080);
});
