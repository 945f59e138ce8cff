import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LabelManifest } from '../src/labels/label-manifest.ts';
import { readLabels } from '../src/labels/read-labels.ts';
import type { LabelCheck } from '../src/labels/run-labels.ts';
import { runAccuracy } from '../src/run-accuracy.ts';
import type { LabelFigures } from '../src/score/figures.ts';
import { labelCounts, labelFigures, labelRates } from '../src/score/label-figures.ts';
import { worseLabels } from '../src/score/label-gate.ts';

const [debian, alma, wolfi] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const manifest: LabelManifest = {
  feeds: {
    'debian:12': ['debian-osv.jsonl'],
    'almalinux:8': ['almalinux8.updateinfo.xml'],
  },
  ecosystems: {},
  sources: {},
  redHatCves: 'redhat-cves.jsonl.gz',
  images: {
    aaaaaaaaaaaa: { name: 'debian:12', os: 'debian', version: '12' },
    bbbbbbbbbbbb: { name: 'almalinux:8', os: 'almalinux', version: '8' },
    cccccccccccc: { name: 'wolfi', outside: 'Wolfi' },
  },
};

let folder = '';
let written = 0;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-labels-'));
  cpSync(path.join(__dirname, '..', 'testdata', 'sample'), folder, { recursive: true });
  mkdirSync(path.join(folder, 'labels'));
  written = 0;
  const redHat = {
    name: 'CVE-2019-0001',
    package_state: [
      { cpe: 'cpe:/o:redhat:enterprise_linux:8', fix_state: 'Not affected', package_name: 'bzip2' },
    ],
  };
  const fixed = {
    name: 'CVE-2019-0002',
    affected_release: [
      { cpe: 'cpe:/o:redhat:enterprise_linux:8', advisory: 'RHBA-2020:1', package: 'bzip2-0:1.0.6-27.el8' },
    ],
  };
  const records = [redHat, fixed].map((record) => JSON.stringify(record)).join('\n');
  writeFileSync(path.join(folder, 'feeds', 'redhat-cves.jsonl.gz'), gzipSync(records));
});
afterEach(() => rmSync(folder, { recursive: true }));

function label(
  digest: string,
  word: string,
  id: string,
  named: [name: string, version: string] | null,
): void {
  written += 1;
  const content = {
    ID: String(written),
    image: { exact: `example.org/image@sha256:${digest}` },
    label: word,
    vulnerability_id: id,
    effective_cve: id,
    package: named === null ? null : { name: named[0], version: named[1] },
  };
  writeFileSync(
    path.join(folder, 'labels', `${String(written).padStart(3, '0')}.json`),
    JSON.stringify(content),
  );
}

async function check(): Promise<{ checks: readonly LabelCheck[]; failures: readonly string[] }> {
  const { labels, failures } = await runAccuracy({
    inventoriesFolder: path.join(folder, 'inventories'),
    feedsFolder: path.join(folder, 'feeds'),
    oraclesFolder: null,
    manifest: {
      inventories: {},
      feeds: { 'almalinux8.updateinfo.xml': { release: 'almalinux:8' } },
      evaluations: [],
      rebuilds: [],
    },
    reviewed: [],
    labels: { manifest, read: readLabels(path.join(folder, 'labels')) },
    cassettes: null,
    only: '',
    now: new Date('2026-11-20T12:00:00Z'),
  });
  return { checks: labels ?? [], failures };
}

const answersOf = (checks: readonly LabelCheck[], image: string) =>
  checks
    .find((each) => each.image === image)
    ?.judged.map(({ label: { ids }, answer, supported, cause }) => [ids.at(-1), answer, supported, cause]);

it('compares with each label, and states the vendor’s word where it does not agree', async () => {
  const ssh: [string, string] = ['openssh-server', '1:9.2p1-2+deb12u2'];
  label(debian, 'TP', 'CVE-2024-6387', ssh);
  label(debian, 'FP', 'CVE-2024-50246', ssh);
  label(debian, 'FP', 'CVE-2011-3374', ['apt', '2.6.1']);
  label(debian, 'TP', 'CVE-2024-28085', ['bsdutils', '1:2.38.1-5+deb12u1']);
  label(debian, 'TP', 'CVE-2024-1', ['left-pad', '1.0.0']);
  label(debian, 'TP', 'CVE-2024-2', null);
  label(debian, '??', 'CVE-2024-6387', ssh);
  const bzip2: [string, string] = ['bzip2-libs', '1.0.6-26.el8'];
  label(alma, 'TP', 'CVE-2019-12900', bzip2);
  label(alma, 'FP', 'CVE-2019-0001', bzip2);
  label(alma, 'TP', 'CVE-2019-0002', bzip2);
  label(alma, 'TP', 'CVE-2023-47038', ['perl-libs', '4:5.26.3-422.el8']);
  label(alma, 'TP', 'CVE-2019-0003', ['xz-libs', '5.2.4-3.el8']);
  label(wolfi, 'TP', 'CVE-2019-0003', ['glibc', '2.36-r0']);
  const { checks, failures } = await check();
  expect(failures).toEqual([]);
  expect(answersOf(checks, 'debian:12')).toEqual([
    ['CVE-2024-6387', 'found', true, 'vendor: fixed in a later version'],
    ['CVE-2024-50246', 'not_found', false, 'vendor: names the CVE for other packages only'],
    ['CVE-2011-3374', 'hidden', true, 'vendor: of no importance'],
    ['CVE-2024-28085', 'not_found', false, 'vendor: fixed in the installed version'],
  ]);
  expect(checks[0]).toMatchObject({ labels: 7, otherPackages: 2, notDecided: 1, outside: null });
  expect(answersOf(checks, 'almalinux:8')).toEqual([
    ['CVE-2019-12900', 'found', true, 'vendor: fixed in a later version'],
    ['CVE-2019-0001', 'not_found', false, 'vendor: "Not affected" for its component'],
    ['CVE-2019-0002', 'not_found', true, 'data: a fix by RHBA that the file of errata omits'],
    ['CVE-2023-47038', 'not_found', false, 'vendor: speaks of another stream, line or architecture'],
    ['CVE-2019-0003', 'undecided', false, 'the label omits the source package, and no recorded host has it'],
  ]);
  expect(checks[2]).toMatchObject({ image: 'wolfi', release: null, outside: 'Wolfi', judged: [] });
});

it('takes the stream of a module from the package that has its name, for all packages of the build', async () => {
  const build = 'module_el8.10.0+3768+bd0aaef';
  label(alma, 'TP', 'CVE-2023-47038', ['perl-libs', `4:5.32.1-472.${build}`]);
  label(alma, 'TP', 'CVE-2019-0003', ['perl-Errno', `1.30-472.${build}`]);
  label(alma, 'TP', 'CVE-2019-0003', ['ruby-libs', '2.5.9-110.module_el8.6.0+1+aa803fc1']);
  label(alma, 'TP', 'CVE-2019-0002', ['bzip2-libs', '1.0.6-26.el8']);
  label(debian, 'TP', 'CVE-2024-6387', ['apt', '2.6.1']);
  label(wolfi, 'TP', 'CVE-2019-0003', ['glibc', '2.36-r0']);
  const { checks } = await check();
  expect(answersOf(checks, 'almalinux:8')).toEqual([
    ['CVE-2023-47038', 'found', true, 'vendor: fixed in a later version'],
    ['CVE-2019-0003', 'undecided', false, 'the label omits the source package, and no recorded host has it'],
    ['CVE-2019-0003', 'undecided', false, 'no verdict: stream_unknown'],
    ['CVE-2019-0002', 'not_found', true, 'data: a fix by RHBA that the file of errata omits'],
  ]);
});

it('fails for an image without labels, for labels of an unnamed image and for an absent feed', async () => {
  label(alma, 'TP', 'CVE-2019-0002', ['bzip2-libs', '1.0.6-26.el8']);
  label('d'.repeat(64), 'TP', 'CVE-2019-0002', ['bzip2-libs', '1.0.6-26.el8']);
  label(debian, 'TP', 'CVE-2024-6387', ['apt', '2.6.1']);
  rmSync(path.join(folder, 'feeds', 'debian-osv.jsonl'));
  const { failures, checks } = await check();
  expect(failures).toEqual([
    'the labels of debian:12 lack a feed: not all of debian-osv.jsonl were read',
    'the labels lack the image wolfi',
    `the manifest of labels does not name the image ${'d'.repeat(64)}`,
  ]);
  expect(checks[0]).toMatchObject({ outside: 'a file of advisories is absent', judged: [] });
});

it('counts files that are no labels, and refuses a folder without any', () => {
  expect(() => readLabels(path.join(folder, 'labels'))).toThrow('has no match labels');
  expect(() => readLabels(path.join(folder, 'absent'))).toThrow('cannot be read');
  label(debian, 'TP', 'CVE-2024-6387', null);
  for (const text of ['', '{', '[]', '{"label":"TP"}'])
    writeFileSync(path.join(folder, 'labels', `x${text.length}.json`), text);
  const { byDigest, broken } = readLabels(path.join(folder, 'labels'));
  expect(broken).toBe(4);
  expect([...byDigest.keys()]).toEqual([debian]);
});

const image: LabelFigures = {
  image: 'debian:12',
  release: 'debian:12',
  labels: 20,
  notDecided: 0,
  otherPackages: 0,
  classes: {
    'right found': { 'vendor: unfixed (no_fix)': 8 },
    'right hidden': { 'vendor: of no importance': 1 },
    'right missed': { 'we: refined': 1 },
    'right unsupported': { 'vendor: withdrew it': 2 },
    'wrong found': { 'vendor: unfixed (no_fix)': 1 },
    'wrong not found': { 'vendor: withdrew it': 5 },
    'wrong undecided': { 'no verdict: stream_unknown': 2 },
  },
  missed: { 'bash 5': 'CVE-1' },
  raised: { 'zlib 1': 'CVE-2' },
};

it('computes the rates of an image from supported right matches and wrong ones', () => {
  const counts = labelCounts(image);
  expect(counts).toEqual({
    found: 8,
    hidden: 1,
    missed: 1,
    unsupported: 2,
    raised: 1,
    avoided: 5,
    undecided: 2,
  });
  expect(labelRates(counts)).toEqual({ found: 0.9, avoided: 5 / 6, undecided: 0.1, f1: 18 / 20 });
  const none = labelCounts({ classes: {} });
  expect(labelRates(none)).toEqual({ found: null, avoided: null, undecided: null, f1: null });
});

it('names the lines behind the figures', async () => {
  label(alma, 'TP', 'CVE-2019-0002', ['bzip2-libs', '1.0.6-26.el8']);
  label(alma, 'FP', 'CVE-2019-12900', ['bzip2-libs', '1.0.6-26.el8']);
  label(debian, 'TP', 'CVE-2024-6387', ['apt', '2.6.1']);
  label(wolfi, 'TP', 'CVE-2019-0003', ['glibc', '2.36-r0']);
  const { checks } = await check();
  const { judged, outside } = labelFigures(checks);
  expect(judged[1]).toMatchObject({
    classes: {
      'right missed': { 'data: a fix by RHBA that the file of errata omits': 1 },
      'wrong found': { 'vendor: fixed in a later version': 1 },
    },
    missed: { 'bzip2-libs 1.0.6-26.el8': 'CVE-2019-0002' },
    raised: { 'bzip2-libs 1.0.6-26.el8': 'CVE-2019-12900' },
  });
  expect(outside).toEqual({ Wolfi: { wolfi: 1 } });
});

describe('the gate of labels', () => {
  const figures = (judged: readonly LabelFigures[], outside = {}) => ({ judged: [...judged], outside });
  const before = figures([image], { Alpine: { 'alpine:3.2': 62 } });
  const change = (part: Partial<LabelFigures>, ...others: readonly LabelFigures[]) => ({
    ...before,
    judged: [{ ...image, ...part }, ...others],
  });
  const withClasses = (classes: LabelFigures['classes']) =>
    change({ classes: { ...image.classes, ...classes } });
  const unfixed = 'vendor: unfixed (no_fix)';

  it.each<[string, ReturnType<typeof figures> | null, string]>([
    ['labels that are absent', null, 'no longer compared: name their folder'],
    ['an image that is absent', { ...before, judged: [] }, 'the labels of debian:12: are no longer compared'],
    ['an image that was not judged', figures([image]), 'the labels of alpine:3.2: are no longer compared'],
    ['a new miss', change({ missed: { 'bash 5': 'CVE-1 CVE-3' } }), 'misses CVE-3 of bash 5'],
    [
      'a new raised one',
      change({ raised: { 'zlib 1': 'CVE-2', 'apt 2': 'CVE-4' } }),
      'raises CVE-4 of apt 2',
    ],
    ['fewer found', withClasses({ 'right found': { [unfixed]: 7 } }), '8 are found, 9 before'],
    [
      'a found one that is hidden now',
      withClasses({ 'right found': {}, 'right hidden': { [unfixed]: 9 } }),
      '0 are visible, 8 before',
    ],
    ['more undecided', withClasses({ 'wrong undecided': { x: 4 } }), '4 are undecided, 2 before'],
    [
      'a miss of a new image',
      change({}, { ...image, image: 'rocky:9' }),
      'the labels of rocky:9: misses CVE-1 of bash 5',
    ],
  ])('names %s', (_what, now, line) => {
    expect(worseLabels(before, now)).toEqual([expect.stringContaining(line)]);
  });

  it('is open for equal and better figures, and without committed ones', () => {
    expect(worseLabels(before, before)).toEqual([]);
    expect(worseLabels(before, change({ missed: {}, raised: {} }))).toEqual([]);
    expect(worseLabels(null, before)).toEqual([]);
  });
});
