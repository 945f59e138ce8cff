import type { BitReader } from './bit-reader.ts';

/** A block's bytes before the first transformation is undone. */
export interface Bzip2Block {
  /** The bytes in the order of the sorted rotations. */
  readonly sorted: Uint8Array;
  /** The number of the rotation that is the text. */
  readonly origin: number;
}

/** Why a block cannot be decoded. */
export class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
}

const symbolsPerGroup = 50;
const maxCodeBits = 20;
const maxSelectors = 18_002;

/**
 * Decodes one block after its magic number and checksum: Huffman codes, run lengths of zeros, and
 * move-to-front. Throws DamagedBlock for anything that no encoder writes, and the bit reader's error at the
 * end of the file. @param capacity the largest size of a block in the file, in bytes.
 */
export function readBzip2Block(bits: BitReader, capacity: number): Bzip2Block {
  // Blocks that version 0.9 scrambled are no longer written.
  if (bits.take(1) !== 0) throw new DamagedBlock();
  const origin = bits.take(24);
  const used = readUsedBytes(bits);
  const groups = bits.take(3);
  const selectors = readSelectors(bits, groups);
  const codes = Array.from({ length: groups }, () => readCode(bits, used.length + 2));
  const sorted = readSymbols(bits, { used, selectors, codes, capacity });
  if (origin >= sorted.length) throw new DamagedBlock();
  return { sorted, origin };
}

function readUsedBytes(bits: BitReader): readonly number[] {
  const ranges = bits.take(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >> range)) === 0) continue;
    const bytes = bits.take(16);
    for (let n = 0; n < 16; n++) if ((bytes & (0x8000 >> n)) !== 0) used.push(range * 16 + n);
  }
  if (used.length === 0) throw new DamagedBlock();
  return used;
}

function readSelectors(bits: BitReader, groups: number): Uint8Array {
  const count = bits.take(15);
  if (groups < 2 || groups > 6 || count < 1 || count > maxSelectors) throw new DamagedBlock();
  const order = Array.from({ length: groups }, (_, index) => index);
  return Uint8Array.from({ length: count }, () => {
    let place = 0;
    while (bits.take(1) === 1) if (++place >= groups) throw new DamagedBlock();
    return toFront(order, place);
  });
}

/** Moves an entry to the front of a list, and returns it. */
function toFront(list: number[], place: number): number {
  const [entry] = list.splice(place, 1);
  if (entry === undefined) throw new DamagedBlock();
  list.unshift(entry);
  return entry;
}

/** A canonical Huffman code, by the length of its words. */
interface Code {
  /** The last word of each length; -1: none. */
  readonly last: Int32Array;
  /** The number to subtract from a word of each length to get its place in `symbols`. */
  readonly offset: Int32Array;
  readonly symbols: Uint16Array;
}

function readCode(bits: BitReader, size: number): Code {
  const lengths: number[] = [];
  let length = bits.take(5);
  for (let symbol = 0; symbol < size; symbol++) {
    for (;;) {
      if (length < 1 || length > maxCodeBits) throw new DamagedBlock();
      if (bits.take(1) === 0) break;
      length += bits.take(1) === 0 ? 1 : -1;
    }
    lengths.push(length);
  }
  const last = new Int32Array(maxCodeBits + 1).fill(-1);
  const offset = new Int32Array(maxCodeBits + 1);
  const symbols: number[] = [];
  let word = 0;
  for (let bitsOfWord = 1; bitsOfWord <= maxCodeBits; bitsOfWord++) {
    offset[bitsOfWord] = word - symbols.length;
    for (const [symbol, own] of lengths.entries()) {
      if (own !== bitsOfWord) continue;
      symbols.push(symbol);
      last[bitsOfWord] = word++;
    }
    word *= 2;
  }
  return { last, offset, symbols: Uint16Array.from(symbols) };
}

function readSymbol(bits: BitReader, { last, offset, symbols }: Code): number {
  let word = 0;
  for (let length = 1; length <= maxCodeBits; length++) {
    word = word * 2 + bits.take(1);
    const highest = last[length] ?? -1;
    if (highest < 0 || word > highest) continue;
    const symbol = symbols[word - (offset[length] ?? 0)];
    if (symbol !== undefined) return symbol;
  }
  throw new DamagedBlock();
}

function readSymbols(
  bits: BitReader,
  block: {
    readonly used: readonly number[];
    readonly selectors: Uint8Array;
    readonly codes: readonly Code[];
    readonly capacity: number;
  },
): Uint8Array {
  const { selectors, codes, capacity } = block;
  const order = [...block.used];
  const end = order.length + 1;
  const sorted = new Uint8Array(capacity);
  let length = 0;
  let run = 0;
  let weight = 1;
  for (let n = 0; ; n++) {
    const code = codes[selectors[Math.floor(n / symbolsPerGroup)] ?? -1];
    if (code === undefined) throw new DamagedBlock();
    const symbol = readSymbol(bits, code);
    if (symbol < 2) {
      // Digits 1 and 2 of a base-two number, lowest first: the number of repetitions of the previous byte.
      run += weight * (symbol + 1);
      weight *= 2;
      if (length + run > capacity) throw new DamagedBlock();
      continue;
    }
    sorted.fill(order[0] ?? 0, length, length + run);
    length += run;
    run = 0;
    weight = 1;
    if (symbol === end) return sorted.subarray(0, length);
    if (length >= capacity) throw new DamagedBlock();
    sorted[length++] = toFront(order, symbol - 1);
  }
}
