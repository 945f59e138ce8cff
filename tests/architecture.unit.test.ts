import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serviceApps } from '@plimsoll/model';

const root = path.resolve(__dirname, '..');
const configuration = jest.requireActual<{
  forbidden: readonly { name: string; to: { pathNot?: readonly string[] } }[];
}>('../.dependency-cruiser.cjs');
const ruleNames = configuration.forbidden.map(({ name }) => name);

/** The rooms of packages/db, the lowest first. */
const db = 'packages/db/src';
const rooms = ruleNames.flatMap((name) => /^room:(.+)/.exec(name)?.[1] ?? []);

/** A file that breaks each rule. */
const offences: readonly { rule: string; file: string; text: string }[] = [
  { rule: 'may-import:model', file: 'packages/model/src/a.ts', text: `import '@plimsoll/db';` },
  {
    rule: 'may-import:reports',
    file: 'packages/reports/src/a.ts',
    text: `import type { Db } from '@plimsoll/db';`,
  },
  {
    rule: 'may-import:advisories',
    file: 'packages/advisories/src/a.ts',
    text: `import type { Db } from '@plimsoll/db';`,
  },
  { rule: 'may-import:db', file: 'packages/db/src/a.ts', text: `import '@plimsoll/reports';` },
  { rule: 'may-import:testing', file: 'packages/testing/src/a.ts', text: `import '@plimsoll/api';` },
  {
    rule: 'may-import:words',
    file: 'packages/words/src/a.ts',
    text: `import type { Db } from '@plimsoll/db';`,
  },
  { rule: 'no-app-imports-app', file: 'apps/scheduler/src/b.ts', text: `export * from '@plimsoll/api';` },
  { rule: 'only-index', file: 'packages/reports/src/c.ts', text: `import '../../model/src/inner.ts';` },
  { rule: 'only-index-from-outside', file: 'tests/d.ts', text: `import '../packages/model/src/inner.ts';` },
  { rule: 'by-package-name', file: 'packages/reports/src/e.ts', text: `import '../../model/src/index.ts';` },
  { rule: 'testing-in-tests-only', file: 'apps/api/src/f.ts', text: `import '@plimsoll/testing';` },
  { rule: 'no-lab-in-product', file: 'tests/t.ts', text: `import '../lab/seed/src/inner.ts';` },
  { rule: 'embedded-in-cli-only', file: 'apps/api/src/g.ts', text: `import '@plimsoll/embedded';` },
  { rule: 'loadtest-in-cli-only', file: 'apps/api/src/p.ts', text: `import '@plimsoll/loadtest';` },
  { rule: 'may-import:loadtest', file: 'packages/loadtest/src/q.ts', text: `import '@plimsoll/contract';` },
  {
    rule: 'seeding-in-loadtest-only',
    file: 'packages/pipeline/src/r.ts',
    text: `import '@plimsoll/db/seeding';`,
  },
  {
    rule: 'drawn-hosts-in-tests-only',
    file: 'packages/db/src/s.ts',
    text: `import '@plimsoll/advisories/drawn-hosts';`,
  },
  {
    rule: 'outbound-in-fetchers-only',
    file: 'apps/report-worker/src/l.ts',
    text: `import '@plimsoll/outbound';`,
  },
  {
    rule: 'secrets-in-sealers-only',
    file: 'apps/report-worker/src/m.ts',
    text: `import '@plimsoll/secrets';`,
  },
  { rule: 'pipeline-in-workers-only', file: 'apps/api/src/n.ts', text: `import '@plimsoll/pipeline';` },
  {
    rule: 'intake-is-the-first-stage',
    file: 'packages/pipeline/src/intake/o.ts',
    text: `import '../inner.ts';`,
  },
  { rule: 'no-cycle', file: 'packages/db/src/h.ts', text: `import './h2.ts';` },
  { rule: 'pure', file: 'packages/versions/src/i.ts', text: `import { readFile } from 'node:fs/promises';` },
  { rule: 'pure', file: 'packages/advisories/src/i.ts', text: `import process from 'process';` },
  ...rooms.slice(1).flatMap((room, floor) => [
    {
      rule: `room:${rooms[floor]}`,
      file: `${db}/${rooms[floor]}/up.ts`,
      text: `import '../${room}/own.ts';`,
    },
    { rule: `room:${room}`, file: `${db}/${room}/behind.ts`, text: `import '../${rooms[floor]}/own.ts';` },
  ]),
  { rule: 'declared', file: 'packages/db/src/j.ts', text: `import 'undeclared';` },
  { rule: 'resolvable', file: 'packages/db/src/k.ts', text: `import '@plimsoll/model/src/inner.ts';` },
];
const harmless: Readonly<Record<string, string>> = {
  'packages/db/src/h2.ts': `import './h.ts';`,
  'packages/model/src/inner.ts': 'export {};',
  'lab/seed/src/inner.ts': `import '@plimsoll/testing'; import '@plimsoll/loadtest';`,
  'packages/pipeline/src/inner.ts': 'export {};',
  'packages/pipeline/src/intake/ok.ts': `import '@plimsoll/reports'; import '@plimsoll/queue';`,
  'apps/report-worker/src/ok.ts': `import '@plimsoll/pipeline';`,
  'packages/advisories/src/ok.ts': `import { createHash } from 'node:crypto'; import '@plimsoll/versions';`,
  'packages/reports/tests/ok.test.ts': `import '@plimsoll/testing'; import '@plimsoll/db';`,
  'apps/api/tests/ok.test.ts': `import '@plimsoll/testing'; import '@plimsoll/embedded';`,
  'apps/cli/src/ok.ts': `import '@plimsoll/embedded'; import '@plimsoll/secrets'; import '@plimsoll/loadtest';`,
  'apps/api/src/ok.ts': `import '@plimsoll/secrets'; import '@plimsoll/pipeline/intake';`,
  'packages/pipeline/src/intake/index.ts': 'export {};',
  'packages/db/src/seeding/index.ts': `import '../core/locks.ts';`,
  'packages/db/src/core/locks.ts': 'export {};',
  ...Object.fromEntries(rooms.map((room) => [`${db}/${room}/own.ts`, 'export {};'])),
  'packages/advisories/tests/host/drawn/every-host.ts': 'export {};',
  'packages/db/tests/ok.unit.test.ts': `import '@plimsoll/advisories/drawn-hosts';`,
  'packages/loadtest/src/ok.ts': `import '@plimsoll/db/seeding'; import '@plimsoll/pipeline';`,
  'apps/advisory-worker/src/ok.ts': `import '@plimsoll/outbound';`,
  'node_modules/undeclared/package.json': '{"name": "undeclared", "version": "1.0.0"}',
  'node_modules/undeclared/index.js': '',
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** Runs the tool as `npm test` does, in another folder. */
function violationsIn(folder: string): readonly Violation[] {
  const tool = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(root, '.dependency-cruiser.cjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [tool, '--config', config, '--output-type', 'json', 'packages', 'apps', 'tests', 'lab'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout).summary.violations;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

/** Every workspace folder, with an empty index.ts and its link in node_modules. */
function writeWorkspace(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules/@plimsoll'), { recursive: true });
  const packages = ruledPackages().map((name) => `packages/${name}`);
  const apps = [...serviceApps, 'cli'].map((name) => `apps/${name}`);
  for (const workspace of [...packages, ...apps]) {
    const name = `@plimsoll/${path.basename(workspace)}`;
    writeFiles(folder, {
      [`${workspace}/package.json`]: JSON.stringify({ name, type: 'module', exports: exportsOf(workspace) }),
      [`${workspace}/src/index.ts`]: 'export {};',
    });
    symlinkSync(path.join(folder, workspace), path.join(folder, 'node_modules', name));
  }
}

const secondEntries = new Map([
  ['packages/pipeline', { './intake': './src/intake/index.ts' }],
  ['packages/db', { './seeding': './src/seeding/index.ts' }],
  ['packages/advisories', { './drawn-hosts': './tests/host/drawn/every-host.ts' }],
]);

/** The exports of a package; some have a second entry. */
function exportsOf(workspace: string): string | Readonly<Record<string, string>> {
  const second = secondEntries.get(workspace);
  if (second === undefined) return './src/index.ts';
  return { '.': './src/index.ts', ...second };
}

/** The packages with a line in the rules. */
function ruledPackages(): readonly string[] {
  return ruleNames
    .filter((name) => name.startsWith('may-import:'))
    .map((name) => name.slice('may-import:'.length));
}

describe('the import rules', () => {
  let folder = '';
  let violations: readonly Violation[] = [];

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-architecture-'));
    writeWorkspace(folder);
    writeFiles(folder, {
      ...harmless,
      ...Object.fromEntries(offences.map(({ file, text }) => [file, text])),
    });
    violations = violationsIn(folder);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(offences)('find that $file breaks $rule', ({ rule, file }) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(
      rule,
    );
  });

  it('accept files that follow them', () => {
    const blamed = new Set(violations.map(({ from }) => from));
    const offending = new Set([...offences.map(({ file }) => file), 'packages/db/src/h2.ts']);
    expect([...blamed].filter((file) => !offending.has(file))).toEqual([]);
  });

  it('are all shown to be able to fail', () => {
    const shown = new Set(offences.map(({ rule }) => rule));
    expect(ruleNames.filter((name) => !name.startsWith('may-import:') && !shown.has(name))).toEqual([]);
  });

  it('have a line for every package', () => {
    const existing = readdirSync(path.join(root, 'packages')).filter(
      (name) => sourcesOf(`packages/${name}`).length > 0,
    );
    expect(existing.filter((name) => !ruledPackages().includes(name))).toEqual([]);
  });
});

describe('sources', () => {
  it('read process.env in main.ts only', () => {
    const files = ['packages', 'apps']
      .flatMap(sourcesOf)
      .filter((file) => path.basename(file) !== 'main.ts' && !file.startsWith('packages/testing/'));
    expect(files.filter((file) => /\bprocess\.env\b/.test(codeOf(file)))).toEqual([]);
  });

  it('of pure packages use no clock, random numbers, process or console', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|performance\.|Math\.random|process\.|console\.|setTimeout|setInterval|fetch\()/;
    const files = ['model', 'versions', 'words', 'reports', 'advisories'].flatMap((name) =>
      sourcesOf(`packages/${name}`),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => impure.test(codeOf(file)))).toEqual([]);
  });
});

describe('folders', () => {
  it.each(['apps/api/src', 'packages/advisories/src', 'packages/db/src', 'packages/pipeline/src'])(
    'of %s import each other in one direction',
    (sources) => {
      const arrows = arrowsBetween(sources);
      expect(arrows.size).toBeGreaterThan(1);
      expect(foldersInACircle(arrows)).toEqual([]);
    },
  );

  it('of packages/db/src are its rooms, and offer what other rooms import', () => {
    const folders = readdirSync(path.join(root, db), { withFileTypes: true }).map(({ name }) => name);
    expect(folders.sort()).toEqual([...rooms, 'generated', 'index.ts'].sort());
    const roomOf = (file: string) => file.split('/', 1)[0];
    const arrows = [...arrowsBetween(db, (file) => file)].filter(([from]) => from !== 'index.ts');
    const imported = arrows.flatMap(([from, to]) => [...to].filter((file) => roomOf(file) !== roomOf(from)));
    expect([...offeredFiles()].sort()).toEqual([...new Set(imported)].sort());
  });

  it('that import each other in a circle are found', () => {
    const arrows = new Map([
      ['top', new Set(['a'])],
      ['a', new Set(['b'])],
      ['b', new Set(['a', 'c'])],
    ]);
    expect(foldersInACircle(arrows)).toEqual(['a', 'b']);
  });
});

/** The files that the rooms of packages/db offer to each other by the rules, as `room/file.ts`. */
function offeredFiles(): readonly string[] {
  const rule = configuration.forbidden.find(({ name }) => name === `room:${rooms.at(-1)}`);
  return (rule?.to.pathNot ?? []).flatMap((pattern) => {
    const [, room, names = ''] = /src\/(\w+)\/\((.+)\)/.exec(pattern) ?? [];
    return [...names.matchAll(/[^|]+/g)].map(([name]) => `${room}/${name}.ts`);
  });
}

/** The folder of a file; a file at the top counts as one. */
function folderOf(file: string): string {
  const folder = path.dirname(file);
  return folder === '.' ? file : folder;
}

/** What each part of a folder of sources imports from others. */
function arrowsBetween(
  sources: string,
  partOf: (file: string) => string = folderOf,
): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of sourcesOf(sources)) {
    for (const [, target = ''] of codeOf(file).matchAll(/\b(?:from|import)\b\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = path.join(path.dirname(file), target);
      const from = partOf(path.relative(sources, file));
      const to = partOf(path.relative(sources, imported));
      if (from !== to && !to.startsWith('generated'))
        arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/** The folders in a cycle of imports, sorted. */
function foldersInACircle(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reaches = (from: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const pending = [...(arrows.get(from) ?? [])];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(...(arrows.get(next) ?? []));
    }
    return reached;
  };
  return [...arrows.keys()].filter((folder) => reaches(folder).has(folder)).sort();
}

/** The TypeScript files in src folders below a folder of the project, without generated ones. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => /^(packages|apps)\/[^/]+\/src\//.test(file) && !file.includes('/generated/'));
}

/** A file's text without comment lines. */
function codeOf(file: string): string {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n');
}
