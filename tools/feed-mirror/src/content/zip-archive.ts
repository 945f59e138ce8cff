import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

const versionNeeded = 45;
const deflated = 8;
/** Above this number of entries the count is only in the zip64 record. */
const classicEntries = 0xffff;

/** A zip archive of entries in the given order (APPNOTE 6.3.10, with the zip64 record of 4.3.14), in pieces. */
export function* zipArchive(entries: Iterable<ZipEntry>): Generator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content, { level: 1 });
    const fields = fieldsOf(name, content, packed.length);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name)]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'),
        u16(versionNeeded),
        fields,
        attributes,
        Buffer.from(name),
      ]),
    );
    offset += local.length + packed.length;
    yield Buffer.concat([local, packed]);
  }
  const list = Buffer.concat(directory);
  yield list;
  yield endOf(directory.length, list.length, offset);
}

/** The fields that an entry's header shares with its line in the directory. */
function fieldsOf(name: string, content: Buffer, packedLength: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(versionNeeded, 0);
  fields.writeUInt16LE(deflated, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packedLength, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function endOf(entries: number, listLength: number, listOffset: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 0, 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(versionNeeded, 12);
  record.writeUInt16LE(versionNeeded, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(listLength), 40);
  record.writeBigUInt64LE(BigInt(listOffset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 0, 'latin1');
  locator.writeBigUInt64LE(BigInt(listOffset + listLength), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(Math.min(entries, classicEntries), 8);
  end.writeUInt16LE(Math.min(entries, classicEntries), 10);
  end.writeUInt32LE(listLength, 12);
  end.writeUInt32LE(listOffset, 16);
  return entries >= classicEntries ? Buffer.concat([record, locator, end]) : end;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
