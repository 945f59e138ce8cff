import { gzipSync } from 'node:zlib';
import { type TarEntry, tarOf, zstdOf } from '@plimsoll/testing';
import { readContent } from './read-content.ts';

const readTar = (entries: readonly TarEntry[]) => readContent(zstdOf(tarOf(entries)));
const document = (id: string) => ({
  document: { tracking: { id } },
  product_tree: {},
  vulnerabilities: [{}, {}],
});
const entry = (name: string): TarEntry => ({
  path: `2024/${name}.json`,
  content: JSON.stringify(document(name)),
});

describe('a tar archive of documents', () => {
  it.each([
    ['zstd', zstdOf],
    ['gzip', gzipSync],
  ])('packed by %s gives one record per document', async (_name, pack) => {
    const large = {
      path: 'large.json',
      content: JSON.stringify({ ...document('x'), text: 'x'.repeat(300_000) }),
    };
    const records = await readContent(pack(tarOf([entry('cve-2024-1'), large, entry('cve-2024-2')])));
    expect(records.map(({ kind, place }) => [kind, place])).toEqual([
      ['record', '2024/cve-2024-1.json'],
      ['record', 'large.json'],
      ['record', '2024/cve-2024-2.json'],
    ]);
    expect(records[0]).toMatchObject({ format: 'csaf-vex', json: document('cve-2024-1') });
  });

  it('passes over folders, links, devices and files that are not documents', async () => {
    const records = await readTar([
      { path: '2024/', content: '', type: '5' },
      { path: 'link.json', content: '', type: '2' },
      { path: 'device.json', content: '', type: '3' },
      { path: 'index.txt', content: 'x' },
      entry('cve-2024-1'),
    ]);
    expect(records.map(({ place }) => place)).toEqual(['2024/cve-2024-1.json']);
  });

  it('shows long names of both kinds, and names that lead out of the archive as they are', async () => {
    const long = `${'a'.repeat(150)}.json`;
    const extended = `${`path=${long}`.length + 5} path=${long}\n`;
    const records = await readTar([
      { path: 'PaxHeader', content: extended.replace(/^\d+/, String(extended.length)), type: 'x' },
      entry('one'),
      { path: '././@LongLink', content: `${long}\0`, type: 'L' },
      entry('two'),
      { path: '../../etc/cron.d/x.json', content: '{}' },
    ]);
    expect(records.map(({ place }) => place)).toEqual([long, long, '../../etc/cron.d/x.json']);
  });

  it('rejects a broken document and reads on', async () => {
    const records = await readTar([{ path: 'a.json', content: '{"document":' }, entry('cve-2024-1')]);
    expect(records).toMatchObject([
      { kind: 'broken', place: 'a.json', detail: 'is not valid JSON' },
      { kind: 'record' },
    ]);
  });

  it.each([
    ['is nested too deep', `{"document":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['has too many values for its size', `{"document":[${'[],'.repeat(3_000_000)}1]}`],
  ])('rejects a document that %s', async (detail, content) => {
    expect(await readTar([{ path: 'a.json', content }])).toEqual([
      { kind: 'broken', place: 'a.json', detail },
    ]);
  });

  it('rejects a document above its limit without holding it', async () => {
    const records = await readTar([
      { path: 'a.json', content: `"${' '.repeat(32 * 1024 * 1024)}"` },
      entry('cve-2024-1'),
    ]);
    expect(records).toMatchObject([
      { kind: 'broken', detail: expect.stringContaining('is larger than') },
      {},
    ]);
  });

  it('refuses an archive that is cut off between or within entries', async () => {
    const whole = tarOf([entry('cve-2024-1'), entry('cve-2024-2')]);
    for (const length of [whole.length - 1024, whole.length - 1400, 1024]) {
      await expect(readContent(zstdOf(whole.subarray(0, length)))).rejects.toMatchObject({
        code: 'corrupt_archive',
      });
    }
  });

  it.each([
    ['a size that is no number', { size: '9999999999x' }],
    ['a size beyond the file', { size: '77777777777' }],
    ['an endless extended header', { type: 'x', size: '00077777777' }],
  ])('refuses %s', async (_what, change) => {
    await expect(readTar([{ ...entry('cve-2024-1'), ...change }])).rejects.toMatchObject({
      code: 'corrupt_archive',
    });
  });

  it('refuses a header with a wrong checksum', async () => {
    const archive = tarOf([entry('cve-2024-1'), entry('cve-2024-2')]);
    archive.write('9', 1024 + 3);
    await expect(readContent(zstdOf(archive))).rejects.toMatchObject({ code: 'corrupt_archive' });
  });
});

describe('a single CSAF document', () => {
  it.each([
    ['on one line', JSON.stringify(document('CVE-2024-1'))],
    ['on several lines', JSON.stringify(document('CVE-2024-1'), null, 2)],
  ])('%s is one record, although it has a list of vulnerabilities', async (_how, text) => {
    expect(await readContent(Buffer.from(text))).toMatchObject([
      { format: 'csaf-vex', json: document('CVE-2024-1') },
    ]);
  });

  it('is not what another object with such a list is', async () => {
    const records = await readContent(
      Buffer.from(JSON.stringify({ title: 'KEV', vulnerabilities: [{ cveID: 'x' }, {}] })),
    );
    expect(records).toHaveLength(2);
  });
});
