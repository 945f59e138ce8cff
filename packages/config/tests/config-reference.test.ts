import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { configReference, environmentName, loadConfig, settingKeys } from '../src/index.ts';

it('equals docs/configuration.md; `npm run docs:configuration -w @plimsoll/config` writes it', async () => {
  const page = await readFile(path.resolve(__dirname, '../../../docs/configuration.md'), 'utf8');
  expect(page).toBe(configReference());
});

it('gives every setting its own environment name', () => {
  expect(new Set(settingKeys.map(environmentName)).size).toBe(settingKeys.length);
});

it('has no default that its own setting would refuse', () => {
  const config = loadConfig({ env: {}, fileText: null, fileName: null, projectDir: '/srv' });
  const set = settingKeys.filter((key) => config[key] !== null);
  const fileText = JSON.stringify(Object.fromEntries(set.map((key) => [key, config[key]])));
  expect(loadConfig({ env: {}, fileText, fileName: 'all.yaml', projectDir: '/srv' })).toEqual(config);
});
