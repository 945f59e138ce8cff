import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { environmentName, secretNames, settingKeys } from '@plimsoll/config';
import { roleNames } from '@plimsoll/db';

const root = path.resolve(__dirname, '..');

/** Every documentation page, by its path in the project. */
function pagesIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => path.join(folder, file));
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['.github', 'docs', 'examples', 'packages', 'apps', 'lab'].flatMap(pagesIn),
];
const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');
const wordsIn = (page: string): number => textOf(page).trim().split(/\s+/).length;

it('has at most 45,000 words in all pages together', () => {
  expect(pages.reduce((sum, page) => sum + wordsIn(page), 0)).toBeLessThanOrEqual(45_000);
});

it.each(pages)('%s links only to what exists', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
  const files = links.filter((link) => !/^https?:/.test(link));
  expect(files.filter((link) => !existsSync(path.join(root, path.dirname(page), link)))).toEqual([]);
});

describe('the pages of decisions', () => {
  const decisions = readdirSync(path.join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
  const textOfDecision = (name: string): string => textOf(path.join('docs/decisions', name));
  const wordsOf = (name: string): number => wordsIn(path.join('docs/decisions', name));

  it('are all on the contents page, once', () => {
    const listed = [...textOf('docs/decisions/README.md').matchAll(/\]\(([^)/]+)\)/g)];
    expect(listed.map(([, file]) => file).sort()).toEqual(decisions.sort());
  });

  it('can be read: at most 700 words each, and 13,000 together', () => {
    expect(decisions.filter((name) => wordsOf(name) > 700)).toEqual([]);
    expect(decisions.reduce((sum, name) => sum + wordsOf(name), 0)).toBeLessThanOrEqual(13_000);
  });

  const sources = ['apps', 'packages', 'tests', 'tools'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/node_modules|\/dist\//.test(file))
      .map((file) => path.join(folder, file)),
  );

  it('are named by sources, as all pages are, only where they exist', () => {
    const texts = sources.filter((file) => file.includes('/src/')).map(textOf);
    const named = texts.flatMap((text) => text.match(/docs\/[\w/-]+\.md/g) ?? []);
    expect(named.filter((page) => !existsSync(path.join(root, page)))).toEqual([]);
  });

  it('name only source files that exist', () => {
    const named = decisions.flatMap((name) => [
      ...textOfDecision(name).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs))`/g),
    ]);
    expect(named.length).toBeGreaterThan(30);
    const isMissing = (file: string): boolean =>
      !existsSync(path.join(root, file)) && !sources.some((source) => source.endsWith(`/${file}`));
    expect(named.map(([, file = '']) => file).filter(isMissing)).toEqual([]);
  });
});

it('finds every page of operations from the contents, in at most two screens', () => {
  const files = readdirSync(path.join(root, 'docs/operations'));
  const listed = [...textOf('docs/operations.md').matchAll(/\]\(operations\/([^)#]+)\)/g)].map(
    ([, file]) => file,
  );
  expect([...new Set(listed)].sort()).toEqual(files.sort());
  const lengths = files.map((file) => [file, textOf(`docs/operations/${file}`).split('\n').length] as const);
  expect(lengths.filter(([, lines]) => lines > 80)).toEqual([]);
});

it.each(pages.filter((page) => /^packages\/[^/]+\/README\.md$/.test(page)))(
  '%s has at most 30 lines',
  (page) => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  },
);

it('names only settings and metrics that exist', () => {
  const words = (pattern: RegExp): readonly string[] => [
    ...new Set(pages.flatMap((page) => textOf(page).match(pattern) ?? [])),
  ];
  const agentSource = 'apps/agent/src/agent';
  const agentVariables = readdirSync(path.join(root, agentSource)).flatMap(
    (file) => textOf(path.join(agentSource, file)).match(/\bPLIMSOLL_[A-Z_]+/g) ?? [],
  );
  const ofCaddy = textOf('Caddyfile').match(/\bPLIMSOLL_[A-Z_]+/g) ?? [];
  // Only tests read these.
  const ofTests = [
    'PLIMSOLL_FUZZ_SEED',
    'PLIMSOLL_HISTORY_DAYS',
    'PLIMSOLL_HISTORY_SEEDS',
    'PLIMSOLL_YEAR_DAYS',
  ];
  const files = secretNames.map((name) => `${name}_FILE`);
  const ours = [...ofTests, 'PLIMSOLL_', 'PLIMSOLL_CONFIG', ...settingKeys.map(environmentName), ...files];
  const ofScripts =
    textOf('apps/api/src/operations/plans/evidence-words.ts').match(/\bPLIMSOLL_[A-Z_]+/g) ?? [];
  const variables = [...ours, ...agentVariables, ...ofCaddy, ...ofScripts];
  expect(words(/\bPLIMSOLL_\w*/g).filter((name) => !variables.includes(name))).toEqual([]);

  const sources = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[^/]+\/src\/.*\.ts$/.test(file))
      .map((file) => textOf(path.join(folder, file))),
  );
  const { owner, apps } = roleNames('plimsoll');
  const roles = [owner, ...Object.values(apps)];
  const metrics = words(/\bplimsoll_[a-z_]+[a-z]\b/g).filter((name) => !roles.includes(name));
  expect(metrics.length).toBeGreaterThan(4);
  expect(metrics.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).toEqual([]);
});
