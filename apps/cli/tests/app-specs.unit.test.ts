import path from 'node:path';
import { appSpecs } from '../src/service/app-specs.ts';

const projectDir = path.resolve(__dirname, '../../..');

it.each([
  ['ssh.sealing_keys_file', 'ssh-worker'],
  ['api.jwt_secret_key', 'api'],
  ['api.jwt_secret_key_previous', 'api'],
  ['feeds.base_url', 'advisory-worker'],
  ['feeds.urls', 'advisory-worker'],
] as const)('gives %s to the %s alone', (key, app) => {
  const given = appSpecs(projectDir).filter(({ withheld }) => !withheld.includes(key));
  expect(given.map(({ name }) => name)).toEqual([app]);
});
