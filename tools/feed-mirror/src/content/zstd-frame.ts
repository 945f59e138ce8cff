/** Most bytes of one block (RFC 8878, 3.1.1.2.4). */
const blockBytes = 128 * 1024;

/** Bytes as one zstd frame of uncompressed blocks (RFC 8878): Node.js 20 cannot compress by zstd. */
export function zstdFrame(content: Buffer): Buffer {
  // A window of 128 KiB, no size of the content, no checksum.
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let at = 0; at === 0 || at < content.length; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes);
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at + blockBytes >= content.length ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}
