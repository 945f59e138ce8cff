import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AccuracyResult } from '../src/accuracy-result.ts';
import { readManifest } from '../src/manifest.ts';
import { sourceBuildOf } from '../src/rebuilds/relabel.ts';
import { runAccuracy } from '../src/run-accuracy.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-rebuilds-'));
  cpSync(path.join(__dirname, '..', 'testdata', 'sample'), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const alma = () => path.join(folder, 'feeds', 'almalinux8.updateinfo.xml');

/** Writes AlmaLinux's sample errata as Rocky's, after a change of the text. */
function writeRocky(change: (text: string) => string): void {
  const text = readFileSync(alma(), 'utf8')
    .replaceAll('packager@almalinux.org', 'releng@rockylinux.org')
    .replaceAll('ALSA-', 'RLSA-')
    .replaceAll('AlmaLinux', 'Rocky Linux');
  writeFileSync(path.join(folder, 'feeds', 'rocky8.updateinfo.xml'), change(text));
}

async function compare(): Promise<AccuracyResult> {
  const manifest = readManifest(path.join(folder, 'inventories', 'accuracy.json'));
  return await runAccuracy({
    inventoriesFolder: path.join(folder, 'inventories'),
    feedsFolder: path.join(folder, 'feeds'),
    oraclesFolder: null,
    manifest: {
      ...manifest,
      feeds: { ...manifest.feeds, 'rocky8.updateinfo.xml': { release: 'rocky:8' } },
      evaluations: [],
      rebuilds: [
        {
          inventories: ['db'],
          asOf: '2025-01-01',
          feeds: { almalinux: 'almalinux8.updateinfo.xml', rocky: 'rocky8.updateinfo.xml' },
        },
      ],
    },
    reviewed: [],
    labels: null,
    cassettes: null,
    only: '',
    now: new Date('2026-11-20T12:00:00Z'),
  });
}

describe('the comparison of rebuilds', () => {
  it('finds the same verdict for the same fixed build, with and without a mark', async () => {
    writeRocky((text) => text.replaceAll('27.el8_10', '27.el8_10.rocky.0.1'));
    const { rebuilds, failures } = await compare();
    expect(failures).toEqual([]);
    expect(rebuilds).toMatchObject([
      {
        inventory: 'db',
        vendors: ['almalinux', 'rocky'],
        named: 2,
        same: 2,
        differing: [],
        silent: [new Map(), new Map()],
      },
    ]);
  });

  it('names pairs with another verdict, and the fixed builds that decide', async () => {
    writeRocky((text) => text.replaceAll('27.el8_10', '26.el8'));
    const [check] = (await compare()).rebuilds;
    expect(check?.differing).toEqual(
      ['bzip2', 'bzip2-libs'].map((name) => ({
        text: `${name} CVE-2019-12900: affected (fix 1.0.6-27.el8_10), not affected (fix 1.0.6-26.el8)`,
        cause: 'other_build',
      })),
    );
  });

  it('calls a difference within one source build ours', async () => {
    writeRocky((text) => text.replaceAll('27.el8_10', '26.el8.rocky.0.1'));
    writeFileSync(alma(), readFileSync(alma(), 'utf8').replaceAll('27.el8_10', '26.el8'));
    const [check] = (await compare()).rebuilds;
    expect(check?.differing.map(({ cause }) => cause)).toEqual(['same_build', 'same_build']);
  });

  it('counts what a vendor does not name, and leaves out later advisories', async () => {
    writeRocky((text) => text.replaceAll('CVE-2019-12900', 'CVE-2019-99999'));
    const [check] = (await compare()).rebuilds;
    const both = new Map([
      ['bzip2', 1],
      ['bzip2-libs', 1],
    ]);
    expect(check).toMatchObject({ named: 0, silent: [both, both] });
    writeRocky((text) => text.replaceAll('2024-11-06', '2025-11-06'));
    expect((await compare()).rebuilds).toMatchObject([{ named: 0, silent: [new Map(), both] }]);
  });

  it('fails if a vendor’s errata or the host are absent', async () => {
    expect((await compare()).failures).toEqual(['the comparison of almalinux, rocky lacks a feed']);
    writeRocky((text) => text);
    rmSync(path.join(folder, 'inventories', 'db.tsv'));
    expect((await compare()).failures).toEqual(['the comparison of rebuilds lacks the inventory db']);
  });
});

it('reduces a version to its source build', () => {
  expect(sourceBuildOf('0:1-2.el9_4.rocky.0.1')).toBe('1-2.el9');
  expect(sourceBuildOf('17:8.0.0-16.el9_3.alma.1')).toBe('17:8.0.0-16.el9');
  expect(sourceBuildOf('7.76.1-19.el9_1.1')).toBe('7.76.1-19.el9.1');
});
