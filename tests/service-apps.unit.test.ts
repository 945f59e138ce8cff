import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mallocSettings, serviceApps } from '@plimsoll/model';

const root = path.resolve(__dirname, '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
/** The apps that sign in to the database: those of the service, and the command line. */
const appsWithMain = [...serviceApps, 'cli'].sort();
const folders = readdirSync(path.join(root, 'apps'));

/** The first group of each match, without duplicates, in order. */
function namesIn(file: string, pattern: RegExp): readonly string[] {
  return [...new Set([...textOf(file).matchAll(pattern)].map(([, name = '']) => name))].sort();
}

it('are the folders of apps/ that have a main, and the command line', () => {
  const withMain = folders.filter((name) => existsSync(path.join(root, 'apps', name, 'src/main.ts')));
  expect(withMain.sort()).toEqual(appsWithMain);
});

it('have each a folder for the password of its role in the Dockerfile', () => {
  expect(namesIn('Dockerfile', /\/var\/lib\/plimsoll\/role-passwords\/([a-z-]+)/g)).toEqual(appsWithMain);
});

it('run with the same settings of malloc in the Dockerfile', () => {
  const [, line = ''] = /^ENV (MALLOC_.*)$/m.exec(textOf('Dockerfile')) ?? [];
  expect(Object.fromEntries(line.split(' ').map((pair) => pair.split('=')))).toEqual(mallocSettings);
});

it('have each a volume for the password of its role in docker-compose.yml', () => {
  expect(namesIn('docker-compose.yml', /^ {2}database-([a-z-]+):$/gm)).toEqual(appsWithMain);
});

it('have each a line in the table of docs/architecture.md', () => {
  expect(namesIn('docs/architecture.md', /^\| apps\/([a-z-]+) \|/gm)).toEqual([...folders].sort());
});

it('run their tests where servers are, if they have any', () => {
  const { default: config } = jest.requireActual<{
    readonly default: { readonly projects: readonly { displayName: string; testMatch: readonly string[] }[] };
  }>('../jest.config.mjs');
  const patterns = config.projects.find(({ displayName }) => displayName === 'servers')?.testMatch ?? [];
  const tested = serviceApps.filter((app) => existsSync(path.join(root, 'apps', app, 'tests')));
  expect(tested.length).toBeGreaterThan(2);
  expect(tested.filter((app) => !patterns.includes(`<rootDir>/apps/${app}/**/*.test.ts`))).toEqual([]);
});

it('exist where an import rule names one', () => {
  const groups = namesIn('.dependency-cruiser.cjs', /\^apps\/(\([^/]+\)[a-z-]*|[a-z-]+)\//g);
  const named = groups.flatMap((group) => {
    const [, names = group, ending = ''] = /^\((.+)\)(.*)$/.exec(group) ?? [];
    return names.split('|').map((name) => `${name}${ending}`);
  });
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !folders.includes(name))).toEqual([]);
});
