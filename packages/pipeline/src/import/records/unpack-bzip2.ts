/// <reference path="./unbzip2-stream.d.ts" />
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import { ImportError } from './import-error.ts';

/** The highest plausible compression ratio of text; small files may exceed it. */
const maxRatio = 1_000;
const harmlessBytes = 64 * 1024 * 1024;
/** The largest size of a packed block: 900,000 symbols of at most 20 bits, and its tables. */
const heldBytes = 3 * 1024 * 1024;
const pieceBytes = 64 * 1024;

/**
 * Unpacks bzip2, including several concatenated streams, in pieces of 64 KiB. Holds one block: at most 46 MB.
 * Throws ImportError for a file that is truncated, damaged (checks the checksums) or a bomb.
 */
export async function* unpackBzip2(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new PackedBytes(chunks);
  let unpacked = 0;
  while (await input.hold()) {
    const block = new Int32Array(guarded(() => bzip2.header(input.bits)) * 100_000);
    for (let sum: number | null = 0; ; ) {
      await input.hold();
      const before: number = sum;
      const pieces = new Pieces();
      sum = guarded(() =>
        bzip2.decompress(input.bits, (byte) => pieces.add(byte), block, block.length, before),
      );
      if (sum === null) break;
      for (const piece of pieces.all()) {
        unpacked += piece.length;
        if (unpacked > harmlessBytes && unpacked > input.packed * maxRatio)
          throw new ImportError('too_large', `The file unpacks to more than ${maxRatio} times its size.`);
        yield piece;
      }
    }
  }
}

/** The bytes of the file; reads enough of them ahead for a block. */
class PackedBytes {
  /** The number of bytes read from the file. */
  packed = 0;
  private readonly chunks: AsyncIterator<Buffer>;
  /** `bitIterator` takes one before there is any. */
  private readonly ahead: Buffer[] = [Buffer.alloc(0)];
  readonly bits = bitIterator(() => this.ahead.shift());

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads ahead until a whole block, or the rest of the file, is available; false at the end. */
  async hold(): Promise<boolean> {
    while (this.packed - this.bits.bytesRead < heldBytes) {
      const next = await this.chunks.next();
      if (next.done === true) break;
      if (next.value.length > 0) this.ahead.push(next.value);
      this.packed += next.value.length;
    }
    return this.packed > this.bits.bytesRead;
  }
}

/** Bytes of a block. */
class Pieces {
  private readonly full: Buffer[] = [];
  private piece = Buffer.alloc(pieceBytes);
  private length = 0;

  add(byte: number): void {
    this.piece[this.length++] = byte;
    if (this.length < pieceBytes) return;
    this.full.push(this.piece);
    this.piece = Buffer.alloc(pieceBytes);
    this.length = 0;
  }

  all(): readonly Buffer[] {
    return [...this.full, this.piece.subarray(0, this.length)];
  }
}

function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ImportError('corrupt_archive', 'The bzip2 file is cut off or damaged.', { cause });
  }
}
