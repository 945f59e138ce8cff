import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AccuracyResult } from '../src/accuracy-result.ts';
import { readManifest } from '../src/manifest.ts';
import { requestOf } from '../src/places.ts';
import { reportLines } from '../src/report/report-lines.ts';
import { readReviewed } from '../src/reviewed.ts';
import { runAccuracy } from '../src/run-accuracy.ts';

const root = path.resolve(__dirname, '..', '..', '..');
const now = new Date('2026-11-20T12:00:00Z');

/** A copy of the sample folder that tests can modify. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-accuracy-'));
  cpSync(path.join(__dirname, '..', 'testdata', 'sample'), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const inventory = (...parts: readonly string[]) => path.join(folder, 'inventories', ...parts);

function replace(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replaceAll(from, to));
}

/** The tool as `npm run accuracy` starts it. */
function runTool(...args: readonly string[]) {
  const program = [path.join(root, 'tools/run.mjs'), path.join(root, 'lab/accuracy/src/main.ts')];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The same in this process. */
async function judge(): Promise<AccuracyResult> {
  return await runAccuracy({
    inventoriesFolder: inventory(),
    feedsFolder: path.join(folder, 'feeds'),
    oraclesFolder: path.join(folder, 'oracles'),
    manifest: readManifest(inventory('accuracy.json')),
    reviewed: readReviewed(inventory('reviewed.json')),
    labels: null,
    cassettes: null,
    only: '',
    now,
  });
}

it('the data beside the project has the manifest and the reviewed list of the project', () => {
  cpSync(inventory(), path.join(folder, 'shared/data/inventories'), { recursive: true });
  cpSync(path.join(folder, 'feeds'), path.join(folder, 'shared/data/advisories'), { recursive: true });
  symlinkSync(root, path.join(folder, 'project'));
  const { manifest, reviewed } = requestOf({}, path.join(folder, 'project'), now);
  expect(manifest.evaluations.length).toBeGreaterThan(0);
  expect(reviewed.length).toBeGreaterThan(0);
});

describe('the program', () => {
  const folders = () => ['--inventories', inventory(), '--feeds', path.join(folder, 'feeds')];

  it('exits with 0 if every difference is reviewed, and prints hosts, agreement and reasons', () => {
    const { status, stdout, stderr } = runTool(...folders());
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('against expected/web.debsecan.txt: 4 of 5 agree; missing 1');
    expect(stdout).toContain('reviewed missing 1 linux-libc-dev: Built from the kernel');
    expect(stdout).toContain('findings 4: 1 with a fix (critical 0, important 1,');
  });

  it('exits with 1 and names the lines if a wrong answer is expected', () => {
    replace(inventory('expected', 'web.debsecan.txt'), 'CVE-2024-6387 openssh-server', 'CVE-2024-6387 apt');
    const { status, stdout } = runTool(...folders());
    expect(status).toBe(1);
    expect(stdout).toContain('false negative CVE-2024-6387 apt [not_listed]');
    expect(stdout).toContain(
      'false positive CVE-2024-6387 openssh-server [affected: 1:9.2p1-2+deb12u2 < 1:9.2p1-2+deb12u3',
    );
  });

  it('exits with 64 and names a missing folder', () => {
    const { status, stderr } = runTool('--inventories', path.join(folder, 'nowhere'), '--feeds', folder);
    expect(status).toBe(64);
    expect(stderr).toContain('nowhere');
    expect(stderr).toContain('npm run accuracy');
  });
});

describe('a run', () => {
  it.each([
    ['accuracy.json', '"kind": "debsecan"', '"kind": "hearsay"', /accuracy\.json: .*kind/s],
    ['accuracy.json', 'expected/web.debsecan.txt', 'expected/mail.txt', /mail\.txt cannot be read/],
    ['reviewed.json', '"count": 1', '"count": 0', /reviewed\.json: .*count/s],
  ])('says what is wrong with %s', async (file, from, to, detail) => {
    replace(inventory(file), from, to);
    await expect(judge()).rejects.toThrow(detail);
  });

  it('has no failure in the sample', async () => {
    const result = await judge();
    expect(result.failures).toEqual([]);
    expect(result.evaluations.map(({ name }) => name)).toEqual([
      'db by dnf',
      'old-vm by hand',
      'web by debsecan',
    ]);
    expect(result.oracles).toEqual([
      { name: 'dpkg.tsv', pairs: 4, wrong: [] },
      { name: 'rpm.tsv', pairs: 3, wrong: [] },
    ]);
  });

  it.each([
    ['severity', 'unrated\tinstallable', 'low\tinstallable', 'unrated, not low'],
    ['fix_state', 'unrated\tinstallable', 'unrated\theld', 'installable, not held'],
    ['missing', 'util-linux\t2.38.1-5+deb12u1', 'util-linux\t2.38.1-6', 'listed_otherwise'],
    ['missing', 'CVE-2024-28085\tutil-linux', 'CVE-2024-28085\tmount', 'not_installed'],
  ])('finds another %s', async (kind, from, to, why) => {
    replace(inventory('expected', 'old-vm.tsv'), from, to);
    const { evaluations, failures } = await judge();
    const compared = evaluations.find(({ name }) => name === 'old-vm by hand')?.comparisons[0];
    expect(compared?.review.open).toContainEqual(expect.objectContaining({ kind, why }));
    expect(failures).toEqual([expect.stringContaining('differences from expected/old-vm.tsv')]);
  });

  it('reports a number that differs from the expected one', async () => {
    replace(inventory('accuracy.json'), '"pairs": 4', '"pairs": 5');
    const result = await judge();
    expect(reportLines(result, { named: 20, now }).join('\n')).toContain('pairs: 5 expected, 4 found');
    expect(result.failures).toEqual(['web by debsecan: 1 differences from counts were not reviewed']);
  });

  it('fails if a reviewed entry covers a different number of differences', async () => {
    replace(inventory('reviewed.json'), '"count": 1', '"count": 2');
    expect((await judge()).failures).toEqual([
      expect.stringContaining('was reviewed for 2 differences, there are 1'),
    ]);
  });

  it('does not accept a difference with another cause as reviewed', async () => {
    replace(inventory('reviewed.json'), 'excluded: kernel_companion', 'not_installed');
    expect((await judge()).failures).toHaveLength(2);
  });

  it('fails if the reviewed list names an unknown evaluation', async () => {
    replace(inventory('reviewed.json'), 'web by debsecan', 'mail by debsecan');
    expect((await judge()).failures).toContainEqual(expect.stringContaining('"mail by debsecan"'));
  });

  it.each([
    ['host', '"inventory": "web"', '"inventory": "mail"', 'lacks the inventory mail'],
    ['feed', 'debian-osv.jsonl', 'debian-osv.zip', 'lacks a feed'],
  ])('fails where an expected %s is not there', async (_what, from, to, detail) => {
    replace(inventory('accuracy.json'), from, to);
    expect((await judge()).failures).toContainEqual(expect.stringContaining(detail));
  });

  it('fails if a host cannot be read', async () => {
    writeFileSync(inventory('mail.tsv'), 'name\tversion\npostfix\t3.7.6\n');
    expect((await judge()).failures).toEqual([expect.stringContaining('mail says nowhere which system')]);
  });

  it('names hosts that no feed covers, and does not call them clean', async () => {
    writeFileSync(
      inventory('mail.tsv'),
      '#host\tmail\tfamily=gentoo\trelease=2.15\nname\tversion\npostfix\t3\n',
    );
    expect((await judge()).silent).toEqual([{ inventory: 'mail', release: 'gentoo:2.15' }]);
  });

  it('fails if a pair of versions is ordered differently', async () => {
    appendFileSync(path.join(folder, 'oracles', 'dpkg.tsv'), '1.0\t<\t0.9\n');
    const result = await judge();
    expect(result.failures).toEqual(['dpkg.tsv: 1 of 5 pairs are ordered otherwise']);
  });

  it('excludes advisories published after its day', async () => {
    replace(inventory('accuracy.json'), '"inventory": "web",', '"inventory": "web", "asOf": "2024-01-01",');
    const { evaluations } = await judge();
    const asOf = evaluations.find(({ name }) => name === 'web by debsecan');
    expect(asOf?.summary.pairs).toBe(2);
  });
});
