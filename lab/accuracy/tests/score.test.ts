import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ComparisonFigures, Figures, GroupFigures, RebuildFigures } from '../src/score/figures.ts';
import { worseThan } from '../src/score/gate.ts';
import { ratesOf, reviewedRatesOf } from '../src/score/rates.ts';
import { reportHtml } from '../src/score/report-page.ts';

const root = path.resolve(__dirname, '..', '..', '..');

const comparison: ComparisonFigures = {
  evaluation: 'web by debsecan',
  inventory: 'web',
  release: 'debian:12',
  feeds: ['debian.jsonl'],
  asOf: '2025-02-12',
  oracle: 'web.txt',
  compares: 'lines',
  expected: 10,
  agreed: 8,
  missing: 2,
  extra: 1,
  other: 0,
  openMissing: 0,
  openExtra: 1,
  classes: [{ difference: 'missing', about: 'linux-perf', count: 2, reason: 'No kernel that boots.' }],
  missed: { 'linux-perf': 'CVE-2025-1 CVE-2025-2' },
};
const group: GroupFigures = {
  release: 'debian:12',
  hosts: 1,
  packages: 100,
  undecided: 10,
  agreed: 8,
  missing: 2,
  extra: 1,
  openMissing: 0,
  openExtra: 1,
};
const rebuild: RebuildFigures = {
  inventory: 'db',
  asOf: '2025-01-17',
  vendors: ['rhel', 'rocky'],
  named: 5,
  same: 4,
  silent: [
    { pairs: 0, mostly: '' },
    { pairs: 3, mostly: 'curl 3' },
  ],
  sameBuild: [],
  otherBuild: ['bash CVE-2025-4: affected (fix 2), not affected (fix 1)'],
};
const committed: Figures = {
  comparisons: [comparison],
  groups: [group],
  rebuilds: [rebuild],
  labels: null,
  osvScanner: null,
  silent: [{ inventory: 'old', release: 'fedora:35' }],
  orders: [{ name: 'rpm.tsv', pairs: 5, wrong: 0 }],
  feeds: [{ file: 'debian.jsonl', records: 7, rejected: 0, newest: '2025-02-12', unread: null }],
};

const withComparison = (change: Partial<ComparisonFigures>): Figures => ({
  ...committed,
  comparisons: [{ ...comparison, ...change }],
});
const withGroup = (change: Partial<GroupFigures>): Figures => ({
  ...committed,
  groups: [{ ...group, ...change }],
});

describe('the gate', () => {
  it('is open for equal figures, and for better ones', () => {
    expect(worseThan(committed, committed)).toEqual([]);
    expect(worseThan(committed, withGroup({ missing: 1, extra: 0, openExtra: 0, undecided: 0 }))).toEqual([]);
    const better = { agreed: 9, missing: 1, missed: { 'linux-perf': 'CVE-2025-2' } };
    expect(worseThan(committed, withComparison(better))).toEqual([]);
  });

  it('names a new miss, even if another line is found instead', () => {
    const now = withComparison({ missed: { 'linux-perf': 'CVE-2025-1', bash: 'CVE-2025-3' } });
    expect(worseThan(committed, now)).toEqual(['web by debsecan against web.txt: misses CVE-2025-3 of bash']);
  });

  it('names the misses of a comparison that is new', () => {
    const fresh = { ...comparison, evaluation: 'db by debsecan', missed: { bash: 'CVE-2025-3' } };
    expect(worseThan(committed, { ...committed, comparisons: [comparison, fresh] })).toEqual([
      'db by debsecan against web.txt: misses CVE-2025-3 of bash',
    ]);
  });

  it.each<[string, Figures, string]>([
    ['an extra line', withComparison({ extra: 2 }), '2 extra, 1 before'],
    ['another severity', withComparison({ other: 1 }), '1 other, 0 before'],
    ['a line that no longer agrees', withComparison({ agreed: 7 }), '7 agree, 8 before'],
    ['a shorter oracle', withComparison({ expected: 9 }), 'the oracle has 9 lines, 10 before'],
    ['an absent comparison', { ...committed, comparisons: [] }, 'is no longer compared'],
    ['an absent release', { ...committed, groups: [] }, 'debian:12: is no longer judged'],
    ['an absent host', withGroup({ hosts: 0 }), '0 hosts, 1 before'],
    [
      'a newly uncovered host',
      { ...committed, silent: [{ inventory: 'db', release: 'rhel:9' }] },
      'db (rhel:9)',
    ],
    ['a release above the limit', withGroup({ undecided: 11 }), '11 of 100 packages are undecided'],
    [
      'wrong versions',
      { ...committed, orders: [{ name: 'rpm.tsv', pairs: 5, wrong: 1 }] },
      '1 of 5 pairs wrong',
    ],
    ['an absent order', { ...committed, orders: [] }, 'versions are no longer compared'],
    [
      'a pair of rebuilds',
      { ...committed, rebuilds: [{ ...rebuild, sameBuild: ['zlib x'] }] },
      'rocky: zlib x',
    ],
    [
      'fewer pairs',
      { ...committed, rebuilds: [{ ...rebuild, named: 4 }] },
      'rhel and rocky: 4 pairs, 5 before',
    ],
    ['absent rebuilds', { ...committed, rebuilds: [] }, 'db as rhel and rocky: is no longer compared'],
    ['an absent file', { ...committed, feeds: [] }, 'debian.jsonl: is no longer read'],
  ])('names %s', (_what, now, line) => {
    expect(worseThan(committed, now)).toEqual([expect.stringContaining(line)]);
  });

  it('names rates that fall, and rates that are no longer known', () => {
    expect(worseThan(committed, withGroup({ openMissing: 1 }))).toEqual([
      'debian:12 without reviewed differences: recall 0.8889, 1.0000 before',
      'debian:12 without reviewed differences: f1 0.8889, 0.9412 before',
    ]);
    const unknown = withGroup({ agreed: 0, missing: 0, extra: 0, openExtra: 0 });
    expect(worseThan(committed, unknown)).toHaveLength(2);
    expect(worseThan(committed, unknown)[0]).toContain('no longer measured line by line');
  });
});

it('computes the rates with and without reviewed differences', () => {
  expect(ratesOf(group)).toEqual({ precision: 8 / 9, recall: 0.8, f1: 16 / 19 });
  expect(reviewedRatesOf(group)?.recall).toBe(1);
  expect(ratesOf({ ...group, agreed: 0, missing: 0, extra: 0 })).toBeNull();
});

/** The cells of each row of a page's tables, as HTML. */
const rowsOf = (html: string): readonly (readonly string[])[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell),
  );

it('writes unknown rates as such, and marks what was not reviewed', () => {
  const unknown: Figures = {
    ...withGroup({ agreed: 0, missing: 0, extra: 0, openExtra: 0 }),
    comparisons: [
      {
        ...comparison,
        compares: 'numbers',
        classes: [{ difference: 'count', about: 'a|b', count: 1, reason: null }],
      },
    ],
  };
  const rows = rowsOf(reportHtml(unknown, null));
  const rates = ['', '', '', 'numbers only', 'numbers only'];
  expect(rows).toContainEqual(['debian:12', '1', '100', '10 (10.00 %)', ...rates]);
  const ends = rows.map((cells) => cells.slice(-6));
  expect(ends).toContainEqual(['totals', '8 of 10 totals', 'not known', 'not known', '0', '1']);
  expect(rows.map((cells) => cells.slice(1))).toContainEqual([
    'count',
    'a|b',
    '1',
    '<strong>not reviewed</strong>',
  ]);
  expect(rows).toContainEqual(['old', 'fedora:35']);
});

describe('the page for browsers', () => {
  const broken = { '5: a <suffix> counts': 'killed', '6: the binary counts': 'survived' } as const;
  const osvScanner = [
    {
      ecosystem: 'Ubuntu:22.04',
      release: 'ubuntu:22.04',
      why: null,
      packages: 3,
      agreed: 2,
      notInData: 1,
      notices: 0,
      missing: ['krb5 1 CVE-2024-1'],
      extra: ['xz 5 & more CVE-2024-2'],
    },
  ];
  const html = reportHtml({ ...committed, osvScanner }, broken);

  it('names every section in headings and links, escapes text, and loads nothing', () => {
    const titles = [...html.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id);
    expect(titles).toContain('rules-broken-on-purpose');
    expect(new Set(titles).size).toBe(titles.length);
    for (const id of titles) expect(html).toContain(`<a href="#${id}">`);
    expect(html).toContain('a &lt;suffix&gt; counts');
    expect(html).toContain('xz 5 &amp; more CVE-2024-2');
    expect(html).not.toMatch(/<script|<link|<img|\ssrc=|@import|url\(|https?:/);
    expect(html).toContain('<a href="figures.json">figures.json</a>');
  });

  it('lists survivors first, and the scanner with its F1', () => {
    expect(html.indexOf('the binary counts')).toBeLessThan(html.indexOf('a &lt;suffix&gt; counts'));
    expect(html).toContain('2 are broken, 1 of them unnoticed.');
    expect(html).toContain('<strong>pass</strong>');
    expect(rowsOf(html)).toContainEqual(['osv-scanner', 'ubuntu:22.04', '2', '1', '1', '', '0.6667']);
  });

  it('says what is not known', () => {
    const page = reportHtml(committed, null);
    expect(page).toContain('Not known: <code>npm run accuracy:mutation</code> finds out.');
    expect(page).toMatch(/>Match labels<\/h2>\n<p>Not compared\./);
  });
});

describe('the program', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-score-'));
    cpSync(path.join(__dirname, '..', 'testdata', 'sample'), folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(...args: readonly string[]) {
    const program = [path.join(root, 'tools/run.mjs'), path.join(root, 'lab/accuracy/src/report-main.ts')];
    const places = ['inventories', 'feeds', 'oracles'].flatMap((name) => [
      `--${name}`,
      path.join(folder, name),
    ]);
    const output = path.join(folder, 'report');
    const all = [...program, ...places, '--output', output, ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  it('needs committed figures, writes them, and fails once a host is answered worse', () => {
    const missing = run('--check');
    expect(missing).toMatchObject({ status: 64, stderr: expect.stringContaining('figures.json') });
    expect(run()).toMatchObject({ status: 0, stderr: '' });
    const rows = rowsOf(readFileSync(path.join(folder, 'report', 'index.html'), 'utf8'));
    const differences = rows.map((cells) => cells.slice(0, 3).join(' '));
    expect(differences).toContainEqual(expect.stringMatching(/^web by debsecan missing linux-libc-dev/));
    expect(run('--check')).toEqual({ status: 0, stdout: 'Nothing is worse.\n', stderr: '' });
    const feed = path.join(folder, 'feeds', 'debian-osv.jsonl');
    const records = readFileSync(feed, 'utf8').split('\n');
    writeFileSync(feed, records.filter((line) => !line.includes('"id":"CVE-2024-6387"')).join('\n'));
    const worse = run('--check');
    expect(worse.status).toBe(1);
    expect(worse.stdout).toContain(
      'web by debsecan against expected/web.debsecan.txt: misses CVE-2024-6387 of',
    );
    const figures = path.join(folder, 'report', 'figures.json');
    expect(existsSync(path.join(folder, 'report', 'index.html'))).toBe(true);
    writeFileSync(figures, readFileSync(figures, 'utf8').replace('"labels": null', '"labels": {}'));
    const dropped = run();
    expect(dropped).toMatchObject({ status: 64, stderr: expect.stringContaining('has match labels') });
    expect(readFileSync(figures, 'utf8')).toContain('"labels": {}');
  });
});
