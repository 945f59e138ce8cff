/** The parts of unbzip2-stream that know nothing of streams. Both throw at damaged data and at the end of the bytes. */
declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Returns bits as a number, the highest first; null: skips to the next whole byte. */
  interface Bits {
    (count: number | null): number;
    /** Those of which a bit was read. */
    readonly bytesRead: number;
  }
  function bitIterator(nextBuffer: () => Uint8Array | undefined): Bits;
  export = bitIterator;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  type Bits = ReturnType<typeof import('unbzip2-stream/lib/bit_iterator.js')>;
  /** The header of a stream: the size of its blocks, in 100,000 bytes. */
  export function header(bits: Bits): number;
  /**
   * Decodes a block, and checks its sum. Returns the sum of all blocks so far; null at the end of the stream, if it has this sum.
   */
  export function decompress(
    bits: Bits,
    write: (byte: number) => void,
    block: Int32Array,
    blockSize: number,
    sum: number,
  ): number | null;
}
