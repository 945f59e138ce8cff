import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { idsIn, readContent } from './read-content.ts';

interface ZipEntry {
  readonly name: string;
  readonly content: string;
  /** The size that the archive states, if it is wrong. */
  readonly claimedSize?: number;
  readonly flags?: number;
}

/** A zip archive (APPNOTE.TXT 4.3) of deflated entries. */
function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize, flags = 0 } of entries) {
    const data = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(claimedSize ?? Buffer.byteLength(content), 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

const record = (id: string) => JSON.stringify({ id });

describe('records of a feed file', () => {
  it.each<[string, () => Uint8Array | string]>([
    ['JSON Lines', () => `${record('A')}\n\n${record('B')}\r\n`],
    ['JSON Lines without a last line end', () => `${record('A')}\n${record('B')}`],
    ['JSON Lines with a byte order mark', () => `\ufeff${record('A')}\n${record('B')}`],
    ['an array', () => `[\n${record('A')},\n${record('B')}\n]`],
    ['an array on one line', () => `[${record('A')},${record('B')}]`],
    ['a list in an object', () => `{"total": 2, "data": [${record('A')},\n${record('B')}], "note": "]}"}\n`],
    ['a list in an object on one line', () => `{"advisories":[${record('A')},${record('B')}],"n":[[1]]}`],
    ['gzip', () => gzipSync(`${record('A')}\n${record('B')}\n`)],
    ['gzip of an array', () => gzipSync(`[${record('A')},${record('B')}]`)],
    [
      'a zip',
      () =>
        zip([
          { name: 'A.json', content: record('A') },
          { name: 'README.md', content: '#' },
          { name: 'x/B.json', content: record('B') },
        ]),
    ],
  ])('are recognised in %s by content alone', async (_name, content) => {
    expect(await idsIn(content())).toEqual(['A', 'B']);
  });

  it('are one in a file that is one record, also over several lines', async () => {
    expect(await idsIn('{\n  "id": "A"\n}\n')).toEqual(['A']);
  });

  it('go on behind a broken one, which is named', async () => {
    expect(await readContent(`${record('A')}\n{"id": \n${record('C')}\n`)).toMatchObject([
      { kind: 'record' },
      { kind: 'broken', place: 'line 2' },
      { kind: 'record' },
    ]);
    const archive = zip([
      { name: 'A.json', content: '{' },
      { name: 'B.json', content: record('B') },
    ]);
    expect(await idsIn(archive)).toEqual(['is not valid JSON', 'B']);
  });

  it('are broken where an entry inflates to more than it claims, or claims more than a record may have', async () => {
    const bomb = zip([
      { name: 'A.json', content: JSON.stringify('x'.repeat(100_000)), claimedSize: 10 },
      { name: 'B.json', content: record('B'), claimedSize: 2 ** 31 },
      { name: 'C.json', content: record('C') },
    ]);
    expect(await idsIn(bomb)).toEqual([
      'does not have the size the archive says',
      'is larger than 8388608 bytes',
      'C',
    ]);
  });

  it('are broken where an entry is encrypted', async () => {
    const archive = zip([{ name: 'A.json', content: record('A'), flags: 1 }]);
    expect(await idsIn(archive)).toEqual(['is encrypted']);
  });

  it('are broken on a line that is longer than a record may be, and the next line counts again', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(9 * 1024 * 1024) });
    expect(await idsIn(`${record('A')}\n${long}\n${record('B')}\n`)).toEqual([
      'A',
      'is longer than a record may be',
      'B',
    ]);
  });

  it.each<[string, string, () => Uint8Array | string]>([
    ['an empty file', 'no_records', () => ''],
    ['blank lines', 'no_records', () => '\n\n \n'],
    ['prose', 'not_recognised', () => 'Dear all,\nplease find attached'],
    ['a web page', 'not_recognised', () => '<html><body>404</body></html>'],
    ['binary data', 'not_recognised', () => Buffer.from([1, 2, 0, 3])],
    [
      'a zip cut off',
      'corrupt_archive',
      () => zip([{ name: 'A.json', content: record('A') }]).subarray(0, 30),
    ],
    ['gzip cut off', 'corrupt_archive', () => gzipSync(`${record('A')}\n`.repeat(1_000)).subarray(0, 40)],
    ['one JSON value that is too large', 'too_large', () => `{"id":"${'x'.repeat(9 * 1024 * 1024)}`],
    ['JSON cut off', 'invalid_json', () => '[{"id":"A"},{"id"'],
    ['JSON with more behind its end', 'invalid_json', () => '[]\n[]'],
    ['bzip2 cut off', 'corrupt_archive', () => Buffer.from('BZh91AY&SY', 'latin1')],
    ['XML cut off', 'invalid_xml', () => '<updates><update><id>A</id>'],
    ['XML that is no updateinfo', 'not_recognised', () => '<repomd><data/></repomd>'],
  ])('are refused in %s as %s', async (_name, code, content) => {
    await expect(readContent(content())).rejects.toMatchObject({ name: 'ImportError', code });
  });
});
