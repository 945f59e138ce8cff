import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@plimsoll/model';
import { stringify } from 'yaml';
import { type CassetteCheck, compareCassettes } from '../src/cassettes/compare-cassettes.ts';
import { readCassettes } from '../src/cassettes/read-cassettes.ts';
import { readFeedFile } from '../src/feeds/read-feed-file.ts';
import type { LabelManifest } from '../src/labels/label-manifest.ts';
import { worseCassettes } from '../src/score/label-gate.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-cassettes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Answered = [ecosystem: string, name: string, version: string, ids: readonly string[], page?: string];

function record(file: string, answers: readonly Answered[], url = 'https://api.osv.dev/v1/querybatch'): void {
  const queries = answers.map(([ecosystem, name, version]) => ({ package: { ecosystem, name }, version }));
  const results = answers.map(([, , , ids, page]) => ({
    vulns: ids.map((id) => ({ id })),
    ...(page === undefined ? {} : { next_page_token: page }),
  }));
  const request = { url, body: JSON.stringify({ queries }) };
  const response = { body: JSON.stringify({ results }) };
  writeFileSync(path.join(folder, file), stringify({ version: 2, interactions: [{ request, response }] }));
}

const manifest: LabelManifest = {
  feeds: { 'debian:12': ['debian.jsonl'] },
  ecosystems: { 'Debian:12': { os: 'debian', version: '12' }, 'Debian:10': { os: 'debian', version: '10' } },
  sources: {},
  images: {},
};

async function compare(): Promise<readonly CassetteCheck[]> {
  const file = path.join(__dirname, '..', 'testdata', 'sample', 'feeds', 'debian-osv.jsonl');
  const read = await readFeedFile(file, new Set(['debian:12' as Release]), null);
  return compareCassettes(readCassettes(folder), manifest, [{ file: 'debian.jsonl', read, ms: 0 }]);
}

it('compares pairs of packages and CVEs that the data names, once per package, and counts the others', async () => {
  const ssh: Answered = ['Debian:12', 'openssh', '1:9.2p1-2+deb12u2', ['DEBIAN-CVE-2024-6387', 'DSA-1-1']];
  record('a.yaml', [
    ssh,
    ['Debian:12', 'zlib', '1:1.2.13.dfsg-1', []],
    ['Debian:12', 'util-linux', '2.38.1-5+deb12u1', ['CVE-2024-28085', 'CVE-2030-1']],
    ['Debian:12', 'apt', '2.6.1', ['CVE-2011-3374'], 'next'],
    ['Debian:10', 'apt', '1.8.2.3', []],
    ['Alpine:v3.18', 'busybox', '1', ['CVE-2024-1']],
  ]);
  record('b.yaml', [ssh]);
  record('c.yaml', [['Debian:12', 'linux', '6.1.123-1', ['CVE-2024-50246']]], 'https://api.osv.dev/v1/query');
  writeFileSync(path.join(folder, 'd.yaml'), '{ broken');
  expect(await compare()).toEqual([
    expect.objectContaining({
      ecosystem: 'Alpine:v3.18',
      release: null,
      why: 'no supported distribution',
      packages: 1,
    }),
    expect.objectContaining({ ecosystem: 'Debian:10', why: 'the data has no advisories for the release' }),
    {
      ecosystem: 'Debian:12',
      release: 'debian:12',
      why: null,
      packages: 3,
      agreed: 1,
      notInData: 1,
      notices: 1,
      missing: ['util-linux 2.38.1-5+deb12u1 CVE-2024-28085'],
      extra: ['zlib 1:1.2.13.dfsg-1 CVE-2023-45853'],
    },
  ]);
});

it('refuses a folder without recorded answers', () => {
  expect(() => readCassettes(folder)).toThrow('has no recorded answers');
  expect(() => readCassettes(path.join(folder, 'absent'))).toThrow('cannot be read');
});

describe('the gate of recorded answers', () => {
  const check = {
    ecosystem: 'Debian:12',
    release: 'debian:12',
    why: null,
    packages: 3,
    agreed: 2,
    notInData: 1,
    notices: 1,
    missing: ['a 1 CVE-1'],
    extra: [],
  };

  it.each([
    ['absent answers', null, 'no longer compared: name their folder'],
    ['an absent ecosystem', [], 'osv-scanner on Debian:12: is no longer compared'],
    ['one that is not compared', [{ ...check, why: 'no data' }], 'is no longer compared'],
    ['a new missing pair', [{ ...check, missing: ['a 1 CVE-1', 'b 1 CVE-2'] }], 'missing b 1 CVE-2'],
    ['a new extra pair', [{ ...check, extra: ['b 1 CVE-2'] }], 'extra b 1 CVE-2'],
    ['fewer that agree', [{ ...check, agreed: 1 }], '1 agree, 2 before'],
  ])('names %s', (_what, now, line) => {
    expect(worseCassettes([check], now)).toEqual([expect.stringContaining(line)]);
  });

  it('is open for equal and better answers', () => {
    expect(worseCassettes([check], [check])).toEqual([]);
    expect(worseCassettes([check], [{ ...check, missing: [], agreed: 3 }])).toEqual([]);
    expect(worseCassettes(null, [check])).toEqual([]);
  });
});
