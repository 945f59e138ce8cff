import { readdirSync } from 'node:fs';
import path from 'node:path';
import { serviceApps } from '../src/service/service-apps.ts';

const projectDir = path.resolve(__dirname, '../../..');
const notRunByStart = ['cli', 'agent', 'dashboard'];

it('runs every app of the workspace', () => {
  const names = serviceApps(projectDir).map(({ name }) => name);
  const folders = readdirSync(path.join(projectDir, 'apps')).filter((name) => !notRunByStart.includes(name));
  expect(folders.filter((name) => !names.includes(name))).toEqual([]);
});

it.each([
  ['ssh.sealing_keys_file', 'ssh-worker'],
  ['api.jwt_secret_key', 'api'],
] as const)('gives %s to the %s alone', (key, app) => {
  const given = serviceApps(projectDir).filter(({ withheld }) => !withheld.includes(key));
  expect(given.map(({ name }) => name)).toEqual([app]);
});
