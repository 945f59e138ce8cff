import { crc32 } from 'node:zlib';

const chunkBytes = 64 * 1024;
/** One block with CRC-32 as its check. */
const streamFlags = Buffer.from([0x00, 0x01]);
const checkBytes = 4;

/** An xz file of one stream with one block, whose LZMA2 chunks are stored (tukaani.org/xz/xz-file-format.txt). */
export function xzOf(content: Buffer): Buffer {
  const blockHeader = withSum(Buffer.from([0x02, 0x00, 0x21, 0x01, 0x10, 0, 0, 0]));
  const packed = Buffer.concat([...storedChunks(content), Buffer.from([0x00])]);
  const records = [
    Buffer.from([0x00]),
    variable(1),
    variable(blockHeader.length + packed.length + checkBytes),
    variable(content.length),
  ];
  const index = withSum(padded(Buffer.concat(records)));
  const backward = Buffer.alloc(4);
  backward.writeUInt32LE(index.length / 4 - 1);
  const tail = Buffer.concat([backward, streamFlags]);
  return Buffer.concat([
    Buffer.from('\xfd7zXZ\x00', 'latin1'),
    withSum(streamFlags),
    blockHeader,
    padded(packed),
    sum(content),
    index,
    sum(tail),
    tail,
    Buffer.from('YZ'),
  ]);
}

function* storedChunks(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) {
    const chunk = content.subarray(at, at + chunkBytes);
    const header = Buffer.from([at === 0 ? 0x01 : 0x02, 0, 0]);
    header.writeUInt16BE(chunk.length - 1, 1);
    yield header;
    yield chunk;
  }
}

/** A number in groups of seven bits, the lowest first. */
function variable(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Buffer.from([...bytes, left]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function withSum(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, sum(bytes)]);
}

function sum(bytes: Buffer): Buffer {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(crc32(bytes));
  return four;
}
