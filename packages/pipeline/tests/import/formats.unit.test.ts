import { gzipSync } from 'node:zlib';
import { readTextRecords } from '../../src/import/records/read-text-records.ts';
import { readContent } from './read-content.ts';

const update = `<?xml version="1.0" encoding="UTF-8"?>
<updates>
  <update from="x@y" status="final" type="security" version="3">
    <id>ALSA-2024:1</id><title>Important: perl &amp; friends</title><severity>Important</severity>
    <issued date="2024-05-21 00:00:00"/><updated date="2024-05-28 00:00:00"/>
    <references><reference href="https://x/CVE-2024-1" id="CVE-2024-1" type="cve" title="CVE-2024-1"/></references>
    <description><![CDATA[<b>bold</b>]]></description>
    <pkglist><collection short="al8"><name>AlmaLinux 8</name>
      <module name="perl" stream="5.32" version="8100" context="x" arch="x86_64"/>
      <package name="perl" epoch="4" version="5.32.1" release="473.module_el8" arch="x86_64" src="perl.src.rpm">
        <filename>perl.rpm</filename><reboot_suggested>True</reboot_suggested></package>
      <package name="perl-doc" version="5.32.1" release="1" arch="noarch"/>
    </collection></pkglist>
  </update>
  <update><id>ALSA-2024:2</id></update>
</updates>`;

describe('the form of a record', () => {
  it('is updateinfo in XML, one record an update with everything that matching needs', async () => {
    const records = await readContent(update);
    expect(records).toHaveLength(2);
    expect(records[0]).toEqual({
      kind: 'record',
      place: 'ALSA-2024:1',
      format: 'updateinfo',
      json: {
        id: 'ALSA-2024:1',
        type: 'security',
        status: 'final',
        severity: 'Important',
        title: 'Important: perl & friends',
        release: null,
        issued: '2024-05-21 00:00:00',
        updated: '2024-05-28 00:00:00',
        description: '<b>bold</b>',
        rebootSuggested: false,
        references: [{ href: 'https://x/CVE-2024-1', id: 'CVE-2024-1', title: 'CVE-2024-1', type: 'cve' }],
        collections: [
          {
            name: 'AlmaLinux 8',
            short: 'al8',
            module: { name: 'perl', stream: '5.32', version: '8100', context: 'x', arch: 'x86_64' },
            packages: [
              {
                name: 'perl',
                epoch: '4',
                version: '5.32.1',
                release: '473.module_el8',
                arch: 'x86_64',
                src: 'perl.src.rpm',
                rebootSuggested: true,
              },
              {
                name: 'perl-doc',
                epoch: null,
                version: '5.32.1',
                release: '1',
                arch: 'noarch',
                src: null,
                rebootSuggested: false,
              },
            ],
          },
        ],
      },
    });
    expect(await readContent(gzipSync(update))).toEqual(records);
  });

  it.each([
    ['osv', { id: 'X', affected: [] }],
    ['osv', { id: 'X' }],
    ['osv', 7],
    ['almalinux-errata', { id: 'ALSA-1', issued_date: 1, packages: [] }],
    ['rocky-errata', { name: 'RLSA-1', rpms: {} }],
    ['redhat-cve', { name: 'CVE-2024-1', package_state: [] }],
    ['updateinfo', { id: 'X', collections: [] }],
  ])('of JSON is %s where only that has such fields', async (format, json) => {
    expect(await readContent(JSON.stringify([json]))).toMatchObject([{ kind: 'record', format }]);
  });

  it("is updateinfo in Amazon's JSON, where a list of one is no list", async () => {
    const alas = {
      ID: 'ALAS-1',
      Type: 'security',
      Issued: { Date: '2024-01-01 00:00:00' },
      References: { Reference: { ID: 'CVE-2024-1', Type: 'cve' } },
      Pkglist: {
        Collection: {
          Name: 'Amazon Linux',
          Package: { Name: 'a', Version: '1', Release: '1', Arch: 'noarch' },
        },
      },
    };
    expect(await readContent(JSON.stringify(alas))).toMatchObject([
      {
        format: 'updateinfo',
        json: {
          id: 'ALAS-1',
          issued: '2024-01-01 00:00:00',
          references: [{ id: 'CVE-2024-1' }],
          collections: [{ packages: [{ name: 'a', arch: 'noarch' }] }],
        },
      },
    ]);
  });

  it('is KEV in the catalog of it, and EPSS in the scores, row by row', async () => {
    const catalog = {
      title: 'CISA',
      count: 1,
      vulnerabilities: [{ cveID: 'CVE-2024-1', dateAdded: '2024-01-02' }],
    };
    expect(await readContent(JSON.stringify(catalog, null, 2))).toMatchObject([
      { format: 'kev', json: { cveID: 'CVE-2024-1' } },
    ]);
    const scores =
      '#model_version:v1,score_date:2026-08-16T00:00:00+0000\ncve,epss,percentile\nCVE-2024-1,0.5,0.9\nx\n';
    expect(await readContent(gzipSync(scores))).toMatchObject([
      { format: 'epss', json: { cve: 'CVE-2024-1', epss: '0.5', date: '2026-08-16' } },
      { kind: 'broken', place: 'line 4' },
    ]);
  });
});

const mebibyte = 1024 * 1024;

/** A stream of a repeated pattern with a given length. */
async function* endless(start: string, pattern: string, bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const chunk = Buffer.from(pattern.repeat(Math.ceil(65_536 / pattern.length)));
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}

/** The peak memory of reading, above the level at its start. */
async function peakOf(text: AsyncIterable<Buffer>): Promise<{ peak: number; outcome: string }> {
  const before = process.memoryUsage().rss;
  let peak = 0;
  const measured = async function* () {
    for await (const chunk of text) {
      peak = Math.max(peak, process.memoryUsage().rss - before);
      yield chunk;
    }
  };
  let records = 0;
  let broken = 0;
  try {
    for await (const record of readTextRecords(measured())) {
      if (record.kind === 'broken') broken++;
      else records++;
    }
  } catch (error) {
    return { peak, outcome: String((error as { code: unknown }).code) };
  }
  return { peak, outcome: `${records} records, ${broken} broken` };
}

describe('a file that lies', () => {
  it.each<[string, string, () => AsyncIterable<Buffer>]>([
    ['JSON of one endless line', 'too_large', () => endless('{"id":"', 'x', 4096 * mebibyte)],
    ['a list with one endless record', 'invalid_json', () => endless('[{"id":"', 'x', 512 * mebibyte)],
    ['a record of brackets alone', 'too_large', () => endless('{"a":', '[', 512 * mebibyte)],
    [
      'a line of brackets behind a good one',
      '1 records, 1 broken',
      () => endless('{"id":"A"}\n', '[', 512 * mebibyte),
    ],
    ['XML with an endless text', 'too_large', () => endless('<updates><update><id>', 'x', 512 * mebibyte)],
    ['XML with an endless tag', 'too_large', () => endless('<updates><update ', ' ', 512 * mebibyte)],
    ['XML with an endless comment', 'too_large', () => endless('<updates><!-- ', 'x', 512 * mebibyte)],
    ['XML that nests without end', 'invalid_xml', () => endless('<updates>', '<a>', 512 * mebibyte)],
    [
      'an update without end',
      'invalid_xml',
      () => endless('<updates><update><pkglist><collection>', '<package name="a"/>', 24 * mebibyte),
    ],
    ['scores of one endless line', 'not_recognised', () => endless('cve,', 'x', 512 * mebibyte)],
  ])('costs little memory and changes nothing: %s', async (_name, outcome, text) => {
    const result = await peakOf(text());
    expect(result.outcome).toBe(outcome);
    expect(result.peak).toBeLessThan(384 * mebibyte);
  });

  it.each([
    [
      'a document type',
      '<!DOCTYPE updates [<!ENTITY a "aaaa">]><updates><update><id>&a;</id></update></updates>',
    ],
    ['an external entity', '<!DOCTYPE updates SYSTEM "file:///etc/passwd"><updates/>'],
    ['an undeclared entity', '<updates><update><id>&lol;</id></update></updates>'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><updates/>'],
    ['tags that do not match', '<updates><update></updates></update>'],
  ])('is refused as a whole where it has %s', async (_name, xml) => {
    await expect(readContent(xml)).rejects.toMatchObject({ code: 'invalid_xml' });
  });

  it('loses an update that is too large, and no other', async () => {
    const large = `<update><id>L</id><pkglist><collection>${'<package name="a"/>'.repeat(600_000)}</collection></pkglist></update>`;
    const records = await readContent(`<updates>${large}<update><id>A</id></update></updates>`);
    expect(records).toMatchObject([
      { kind: 'broken', place: 'L' },
      { kind: 'record', place: 'A' },
    ]);
  });

  it('has records that nest too deep, which are broken', async () => {
    const deep = `{"id":"D","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(await readContent(`{"id":"A"}\n${deep}\n{"id":"B"}`)).toMatchObject([
      { kind: 'record' },
      { kind: 'broken', detail: 'is nested too deep' },
      { kind: 'record' },
    ]);
  });
});
