import { BitReader, OutOfBits } from './bit-reader.ts';
import { type Bzip2Block, DamagedBlock, readBzip2Block } from './bzip2-block.ts';
import { ImportError } from './import-error.ts';

/** The highest plausible compression ratio of text; small files may exceed it. */
const maxRatio = 1_000;
const harmlessBytes = 64 * 1024 * 1024;
/** The largest size of a packed block: 900,000 symbols of at most 20 bits, and its tables. */
const heldBytes = 3 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const blockMagic = [0x314159, 0x265359] as const;
const endMagic = [0x177245, 0x385090] as const;

/**
 * Unpacks bzip2, including several concatenated streams, in pieces of 64 KiB. Holds one block: at most 8 MiB.
 * Throws ImportError for a file that is truncated, damaged (checks the checksums) or a bomb.
 */
export async function* unpackBzip2(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new PackedBits(chunks);
  let unpacked = 0;
  while (await input.hold()) {
    const { capacity } = guarded(() => readStreamHeader(input.bits));
    let streamSum = 0;
    for (;;) {
      await input.hold();
      const part = guarded(() => readPart(input.bits, capacity));
      if (part.kind === 'end') {
        if (part.sum !== streamSum) throw damaged();
        break;
      }
      const sum = { value: 0xffffffff };
      for (const piece of expand(part.block, sum)) {
        unpacked += piece.length;
        if (unpacked > harmlessBytes && unpacked > input.packed * maxRatio)
          throw new ImportError('too_large', `The file unpacks to more than ${maxRatio} times its size.`);
        yield piece;
      }
      const own = ~sum.value >>> 0;
      if (own !== part.sum) throw damaged();
      streamSum = (((streamSum << 1) | (streamSum >>> 31)) ^ own) >>> 0;
    }
    input.align();
  }
}

/** The bits of the file; keeps enough of them for a block. */
class PackedBits {
  bits = new BitReader(Buffer.alloc(0), 0);
  /** The number of bytes read from the file. */
  packed = 0;
  private held: Buffer = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads ahead until a whole block, or the rest of the file, is available; false at the end. */
  async hold(): Promise<boolean> {
    const whole = this.bits.at >>> 3;
    const parts = [this.held.subarray(whole)];
    let length = this.held.length - whole;
    while (length < heldBytes) {
      const next = await this.chunks.next();
      if (next.done === true) break;
      parts.push(next.value);
      length += next.value.length;
      this.packed += next.value.length;
    }
    this.held = Buffer.concat(parts);
    this.bits = new BitReader(this.held, this.bits.at & 7);
    return this.held.length > 0;
  }

  /** Skips to the next whole byte. */
  align(): void {
    const over = this.bits.at & 7;
    if (over > 0) this.bits.take(8 - over);
  }
}

function readStreamHeader(bits: BitReader): { readonly capacity: number } {
  const [signature, level] = [bits.take(24), bits.take(8) - 0x30];
  if (signature !== 0x425a68 || level < 1 || level > 9) throw new DamagedBlock();
  return { capacity: level * 100_000 };
}

type Part =
  | { readonly kind: 'block'; readonly sum: number; readonly block: Bzip2Block }
  | { readonly kind: 'end'; readonly sum: number };

function readPart(bits: BitReader, capacity: number): Part {
  const magic = [bits.take(24), bits.take(24)];
  const is = (other: readonly number[]) => magic.every((half, index) => half === other[index]);
  const sum = bits.take(32);
  if (is(endMagic)) return { kind: 'end', sum };
  if (!is(blockMagic)) throw new DamagedBlock();
  return { kind: 'block', sum, block: readBzip2Block(bits, capacity) };
}

/**
 * Undoes the sorting of rotations, and the encoding of runs of four to 259 equal bytes as four bytes and a
 * count.
 */
function* expand({ sorted, origin }: Bzip2Block, sum: { value: number }): Generator<Buffer> {
  const next = nextRotations(sorted);
  let rotation = next[origin] ?? 0;
  let piece = Buffer.alloc(pieceBytes);
  let length = 0;
  let equal = 0;
  let previous = -1;
  // A local variable: the loop runs once per byte.
  let current = sum.value;
  for (let n = 0; n < sorted.length; n++) {
    const byte = sorted[rotation] ?? 0;
    rotation = next[rotation] ?? 0;
    const count = equal === 4 ? byte : 1;
    const value = equal === 4 ? previous : byte;
    equal = equal === 4 ? 0 : byte === previous ? equal + 1 : 1;
    previous = equal === 0 ? -1 : byte;
    for (let time = 0; time < count; time++) {
      piece[length++] = value;
      current = (current << 8) ^ (sums[(current >>> 24) ^ value] ?? 0);
      if (length < pieceBytes) continue;
      yield piece;
      piece = Buffer.alloc(pieceBytes);
      length = 0;
    }
  }
  sum.value = current >>> 0;
  if (length > 0) yield piece.subarray(0, length);
}

/** By rotation: the rotation that begins one byte later. */
function nextRotations(sorted: Uint8Array): Uint32Array {
  const counts = new Uint32Array(257);
  for (const byte of sorted) counts[byte + 1] = (counts[byte + 1] ?? 0) + 1;
  for (let byte = 1; byte < 257; byte++) counts[byte] = (counts[byte] ?? 0) + (counts[byte - 1] ?? 0);
  const next = new Uint32Array(sorted.length);
  for (const [index, byte] of sorted.entries()) {
    const place = counts[byte] ?? 0;
    counts[byte] = place + 1;
    next[place] = index;
  }
  return next;
}

/** CRC-32 with the highest bit first, of each byte. */
const sums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum >>> 0;
});

function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedBlock || error instanceof OutOfBits ? damaged(error) : error;
  }
}

function damaged(cause?: unknown): ImportError {
  return new ImportError('corrupt_archive', 'The bzip2 file is cut off or damaged.', { cause });
}
