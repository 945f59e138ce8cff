/** The block size in bytes: small, because sorting a block of JSON compares long equal texts. */
const blockBytes = 18_000;
const symbolsPerGroup = 50;

/**
 * A bzip2 file with one stream of small blocks. Each block has one Huffman code in which all words have the
 * same length.
 */
export function bzip2Of(content: Buffer): Buffer {
  const bits = new BitWriter();
  bits.put(0x425a6831, 32);
  let streamSum = 0;
  for (let at = 0; at < content.length; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes);
    const own = sumOf(block);
    bits.put(0x314159, 24);
    bits.put(0x265359, 24);
    bits.put(own, 32);
    putBlock(bits, withCountedRuns(block));
    streamSum = (((streamSum << 1) | (streamSum >>> 31)) ^ own) >>> 0;
  }
  bits.put(0x177245, 24);
  bits.put(0x385090, 24);
  bits.put(streamSum, 32);
  return bits.done();
}

function putBlock(bits: BitWriter, block: Buffer): void {
  const { sorted, origin } = sortRotations(block);
  bits.put(0, 1);
  bits.put(origin, 24);
  const used = [...new Set(sorted)].sort((a, b) => a - b);
  putUsedBytes(bits, used);
  const symbols = symbolsOf(sorted, used);
  const groups = Math.ceil(symbols.length / symbolsPerGroup);
  // Two codes, the minimum; every group uses the first one.
  bits.put(2, 3);
  bits.put(groups, 15);
  for (let group = 0; group < groups; group++) bits.put(0, 1);
  const size = used.length + 2;
  const length = Math.max(1, Math.ceil(Math.log2(size)));
  for (let code = 0; code < 2; code++) {
    bits.put(length, 5);
    for (let symbol = 0; symbol < size; symbol++) bits.put(0, 1);
  }
  for (const symbol of symbols) bits.put(symbol, length);
}

/** Replaces four to 255 equal bytes by four of them and a count. */
function withCountedRuns(block: Buffer): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < block.length; ) {
    const byte = block[at] ?? 0;
    let run = 1;
    while (run < 255 && block[at + run] === byte) run++;
    for (let n = 0; n < Math.min(run, 4); n++) bytes.push(byte);
    if (run >= 4) bytes.push(run - 4);
    at += run;
  }
  return Buffer.from(bytes);
}

/** The last byte of each rotation of a block, in sorted order, and the index of the block itself. */
function sortRotations(block: Buffer): { readonly sorted: Uint8Array; readonly origin: number } {
  const twice = Buffer.concat([block, block]);
  const length = block.length;
  const rotations = Uint32Array.from({ length }, (_, start) => start).sort(
    (a, b) => twice.compare(twice, b, b + length, a, a + length) || a - b,
  );
  const sorted = Uint8Array.from(rotations, (start) => twice[start + length - 1] ?? 0);
  return { sorted, origin: rotations.indexOf(0) };
}

function putUsedBytes(bits: BitWriter, used: readonly number[]): void {
  const ranges = Array.from({ length: 16 }, (_, range) => used.filter((byte) => byte >> 4 === range));
  for (const range of ranges) bits.put(range.length > 0 ? 1 : 0, 1);
  for (const range of ranges.filter(({ length }) => length > 0))
    for (let low = 0; low < 16; low++) bits.put(range.some((byte) => (byte & 15) === low) ? 1 : 0, 1);
}

/**
 * The symbols: move-to-front indexes, runs of index 0 as digits 1 and 2 of a binary number, and the end
 * symbol.
 */
function symbolsOf(sorted: Uint8Array, used: readonly number[]): readonly number[] {
  const order = [...used];
  const symbols: number[] = [];
  let run = 0;
  const endRun = () => {
    for (; run > 0; run = (run - 1) >> 1) symbols.push(run & 1 ? 0 : 1);
  };
  for (const byte of sorted) {
    const place = order.indexOf(byte);
    if (place === 0) {
      run++;
      continue;
    }
    endRun();
    order.splice(place, 1);
    order.unshift(byte);
    symbols.push(place + 1);
  }
  endRun();
  symbols.push(used.length + 1);
  return symbols;
}

class BitWriter {
  private readonly bytes: number[] = [];
  private held = 0;
  private count = 0;

  put(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.held = (this.held << 1) | ((value >>> bit) & 1);
      if (++this.count < 8) continue;
      this.bytes.push(this.held);
      this.held = 0;
      this.count = 0;
    }
  }

  done(): Buffer {
    while (this.count > 0) this.put(0, 1);
    return Buffer.from(this.bytes);
  }
}

/** CRC-32 with the highest bit first. */
function sumOf(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return ~sum >>> 0;
}
