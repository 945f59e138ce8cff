import { pipeline, Readable, type Transform } from 'node:stream';
import { Decompress } from 'fzstd';
import { ByteQueue } from './byte-queue.ts';
import { ImportError } from './import-error.ts';
import { createNativeDecoder } from './native-zstd.ts';

/** The largest window of a frame. 8 MiB is usual; larger ones need `zstd --ultra` (RFC 8878, 3.1.1.1.2). */
const maxWindowLog = 26;
const maxWindowBytes = 2 ** maxWindowLog;
/** The largest unpacked size of a block (RFC 8878, 3.1.1.2.4). */
const maxBlockBytes = 128 * 1024;
/** The highest plausible compression ratio of text; small files may exceed it. */
const maxRatio = 1_000;
const harmlessBytes = 64 * 1024 * 1024;
const skippableMagic = 0x184d2a50;
const frameMagic = 0xfd2fb528;
const skippedAtOnce = 64 * 1024;

/**
 * Unpacks zstd (RFC 8878) in pieces of at most 128 KiB. Checks how much memory a frame needs before it allocates
 * it. Throws ImportError for a file that is truncated or damaged, needs too much memory, or is a bomb.
 */
export async function* unpackZstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const queue = new ByteQueue(chunks);
  const budget = { packed: 0, unpacked: 0 };
  for (;;) {
    const magic = await queue.take(4);
    if (magic.length === 0) return;
    if (magic.length < 4) throw damaged();
    const number = magic.readUInt32LE();
    if ((number & 0xfffffff0) >>> 0 === skippableMagic) await skip(queue);
    else if (number === frameMagic) yield* readFrame(queue, magic, budget);
    else throw damaged();
  }
}

async function skip(queue: ByteQueue): Promise<void> {
  let left = (await exactly(queue, 4)).readUInt32LE();
  for (; left > 0; left -= Math.min(left, skippedAtOnce)) await exactly(queue, Math.min(left, skippedAtOnce));
}

interface Budget {
  packed: number;
  unpacked: number;
}

async function* readFrame(queue: ByteQueue, magic: Buffer, budget: Budget): AsyncGenerator<Buffer> {
  const { header, contentBytes, hasChecksum } = await readHeader(queue);
  const frame = piecesOf(queue, { start: Buffer.concat([magic, header]), hasChecksum, budget });
  const native = createNativeDecoder(maxWindowLog);
  let frameBytes = 0;
  try {
    for await (const bytes of native === null ? decodeInScript(frame) : decodeBy(native, frame)) {
      frameBytes += bytes.length;
      budget.unpacked += bytes.length;
      if (budget.unpacked > harmlessBytes && budget.unpacked > budget.packed * maxRatio)
        throw new ImportError('too_large', `The file unpacks to more than ${maxRatio} times its size.`);
      yield bytes;
    }
  } catch (error) {
    throw error instanceof ImportError ? error : damaged(error);
  }
  if (contentBytes !== null && contentBytes !== frameBytes) throw damaged();
}

/** The bytes of a frame, one block at a time; the last piece is its checksum or empty. */
async function* piecesOf(
  queue: ByteQueue,
  frame: { readonly start: Buffer; readonly hasChecksum: boolean; readonly budget: Budget },
): AsyncGenerator<Buffer> {
  const counted = (bytes: Buffer): Buffer => {
    frame.budget.packed += bytes.length;
    return bytes;
  };
  yield counted(frame.start);
  for (let isLast = false; !isLast; ) {
    const block = await readBlock(queue);
    isLast = block.isLast;
    yield counted(block.bytes);
  }
  if (frame.hasChecksum) yield counted(await exactly(queue, 4));
}

/** As `decodeInScript`, four times as fast. An error of the pieces is thrown as it is. */
async function* decodeBy(decoder: Transform, frame: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // The reader of the stream gets the error; the callback prevents a second, unhandled one.
  const unpacked = pipeline(Readable.from(frame, { highWaterMark: 2 }), decoder, () => undefined);
  for await (const bytes of unpacked) yield bytes as Buffer; // No encoding is set.
}

async function* decodeInScript(frame: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unpacked: Buffer[] = [];
  const decoder = new Decompress((bytes) => {
    if (bytes.length > maxBlockBytes) throw damaged();
    // Each block has its own memory.
    if (bytes.length > 0) unpacked.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  });
  const taken = (): readonly Buffer[] => {
    const pieces = unpacked;
    unpacked = [];
    return pieces;
  };
  for await (const bytes of frame) {
    decoder.push(bytes, false);
    yield* taken();
  }
  decoder.push(Buffer.alloc(0), true);
  yield* taken();
}

interface FrameHeader {
  /** Its bytes in the file, without the magic number. */
  readonly header: Buffer;
  /** The stated unpacked size; null if the frame states none. */
  readonly contentBytes: number | null;
  readonly hasChecksum: boolean;
}

/** See RFC 8878, 3.1.1.1. */
async function readHeader(queue: ByteQueue): Promise<FrameHeader> {
  const first = await exactly(queue, 1);
  const descriptor = first.readUInt8();
  const isSingle = (descriptor & 0x20) !== 0;
  // A reserved bit, or an unknown dictionary.
  if ((descriptor & 0x0b) !== 0) throw damaged();
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingle ? 1 : 0) : 1 << sizeFlag;
  const rest = await exactly(queue, (isSingle ? 0 : 1) + sizeBytes);
  const contentBytes = sizeBytes === 0 ? null : readSize(rest.subarray(rest.length - sizeBytes));
  const windowBytes = isSingle ? (contentBytes ?? 0) : windowOf(rest.readUInt8());
  if (windowBytes > maxWindowBytes)
    throw new ImportError(
      'too_large',
      `The file asks for a window of more than ${maxWindowBytes} bytes: pack it again without --ultra or --long.`,
    );
  return { header: Buffer.concat([first, rest]), contentBytes, hasChecksum: (descriptor & 0x04) !== 0 };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function readSize(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE());
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0);
}

/** See RFC 8878, 3.1.1.2. */
async function readBlock(queue: ByteQueue): Promise<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  const header = await exactly(queue, 3);
  const number = header.readUIntLE(0, 3);
  const size = number >> 3;
  const isRepeated = ((number >> 1) & 3) === 1;
  if (size > maxBlockBytes) throw damaged();
  const content = await exactly(queue, isRepeated ? 1 : size);
  return { bytes: Buffer.concat([header, content]), isLast: (number & 1) === 1 };
}

async function exactly(queue: ByteQueue, count: number): Promise<Buffer> {
  const bytes = await queue.take(count);
  if (bytes.length < count) throw damaged();
  return bytes;
}

function damaged(cause?: unknown): ImportError {
  return new ImportError('corrupt_archive', 'The zstd file is cut off or damaged.', { cause });
}
