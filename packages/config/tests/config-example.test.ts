import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { configExample, environmentName, loadConfig, settingKeys } from '../src/index.ts';

it('equals plimsoll.example.yaml; `npm run docs:configuration -w @plimsoll/config` writes it', async () => {
  const file = path.resolve(__dirname, '../../../plimsoll.example.yaml');
  expect(await readFile(file, 'utf8')).toBe(configExample());
});

it('has an example of every setting, whose values are the defaults', () => {
  const lines = configExample()
    .split('\n')
    .filter((line) => /^#\S/.test(line));
  expect(lines.map((line) => line.slice(1, line.indexOf(':')))).toEqual(settingKeys);
  const fileText = lines
    .filter((line) => !line.endsWith(': …'))
    .map((line) => line.slice(1))
    .join('\n');
  const projectDir = '/srv';
  const defaults = loadConfig({ env: {}, fileText: null, fileName: null, projectDir });
  expect(loadConfig({ env: {}, fileText, fileName: '/srv/all.yaml', projectDir })).toEqual(defaults);
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
