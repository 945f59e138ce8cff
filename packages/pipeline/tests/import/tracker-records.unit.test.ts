import { gzipSync } from 'node:zlib';
import { readTrackerRecords } from '../../src/import/records/read-tracker-records.ts';
import { readContent } from './read-content.ts';

const issue = (text: string) => ({
  description: text,
  releases: { sid: { status: 'open', list: [[1], {}] } },
});
const file = {
  '389-ds-base': { 'CVE-2012-0833': issue('a { b ] "c" \\ d'), 'CVE-2016-5405': issue('ü') },
  'gtk+3.0': { 'TEMP-0000000-0CA7E3': issue('') },
};
const expected = Object.entries(file).flatMap(([name, issues]) =>
  Object.entries(issues).map(([id, said]) => ({
    kind: 'record',
    place: `${name}/${id}`,
    json: { package: name, id, issue: said },
  })),
);

describe("the JSON of Debian's security tracker", () => {
  it.each([
    ['on one line', JSON.stringify(file)],
    ['indented', JSON.stringify(file, null, 2)],
    ['compressed', gzipSync(JSON.stringify(file))],
  ])('is split by package and id, %s', async (_how, content) => {
    expect(await readContent(content)).toEqual(
      expected.map((record) => ({ ...record, format: 'debian-tracker' })),
    );
  });

  it('is split wherever the stream is cut', async () => {
    const bytes = Buffer.from(JSON.stringify(file, null, 1));
    for (let size = 1; size < 40; size++) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const records: unknown[] = [];
      for await (const record of readTrackerRecords(chunks())) records.push(record);
      expect(records).toEqual(expected);
    }
  });

  it.each([
    ['a value that is no object', '"CVE-2024-0002": null', ['record', 'broken']],
    ['a number', '"CVE-2024-0002": 7', ['record', 'broken']],
    ['what is no JSON', '"CVE-2024-0002": {a}', ['record', 'broken']],
    ['a list, for the feed to reject', '"CVE-2024-0002": []', ['record', 'record']],
  ])('has %s as a record of its own', async (_what, member, kinds) => {
    const records = await readContent(`{"bash": {"CVE-2024-0001": {}, ${member}}}`);
    expect(records.map(({ kind }) => kind)).toEqual(kinds);
    expect(records[1]?.place).toBe('bash/CVE-2024-0002');
  });

  it('has a package without vulnerabilities as a broken record', async () => {
    const records = await readContent('{"bash": {"CVE-2024-0001": {}}, "zlib": null}');
    expect(records).toMatchObject([{ kind: 'record' }, { kind: 'broken', place: 'zlib' }]);
  });

  it.each(['{"bash": {"CVE-2024-0001": {', '{"bash": {"CVE-2024-0001": {}}'])(
    'is refused if it is cut off: %s',
    async (text) => {
      await expect(readContent(text)).rejects.toMatchObject({ code: 'invalid_json' });
    },
  );

  it('leaves out a vulnerability that is longer than a record may be, and no other', async () => {
    const long = { description: 'x'.repeat(9 * 1024 * 1024) };
    const text = JSON.stringify({ bash: { 'CVE-2024-0001': long, 'CVE-2024-0002': {} } });
    expect(await readContent(text)).toMatchObject([
      { kind: 'broken', place: 'bash/CVE-2024-0001' },
      { kind: 'record', place: 'bash/CVE-2024-0002' },
    ]);
  });
});
