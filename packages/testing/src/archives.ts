/** An entry of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly content: string;
  /** The type flag; default: a file. */
  readonly type?: string;
  /** The size in the header, in octal digits; default: that of the content. */
  readonly size?: string;
}

const blockBytes = 512;

/** A tar archive (ustar) of entries, with the two blocks of zeros at its end. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(2 * blockBytes)]);
}

function entryBlocks({ path, content, type = '0', size }: TarEntry): readonly Buffer[] {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(blockBytes);
  header.write(path, 0, 100);
  header.write(size ?? bytes.length.toString(8).padStart(11, '0'), 124, 12);
  header.fill(' ', 148, 156);
  header.write(type, 156);
  header.write('ustar\0' + '00', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return [header, bytes, Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)];
}

const largestBlock = 128 * 1024;

/** Bytes as uncompressed blocks of one zstd frame (RFC 8878) with a window of 128 KiB. */
export function zstdOf(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let at = 0; at === 0 || at < bytes.length; at += largestBlock) {
    const block = bytes.subarray(at, at + largestBlock);
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at + largestBlock >= bytes.length ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}
