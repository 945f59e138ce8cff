/** Thrown at the end of the available bits. */
export class OutOfBits extends Error {
  override readonly name = 'OutOfBits';
}

/** Reads bits of bytes, the highest bit of a byte first. */
export class BitReader {
  private readonly bytes: Uint8Array;
  private position: number;

  /** @param position the first bit. */
  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes;
    this.position = position;
  }

  /** The bits read, counted from the first byte. */
  get at(): number {
    return this.position;
  }

  /** The next `count` bits, at most 32, as a number. Throws OutOfBits. */
  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const byte = this.bytes[this.position >>> 3];
      if (byte === undefined) throw new OutOfBits();
      const free = 8 - (this.position & 7);
      const taken = Math.min(free, left);
      value = value * 2 ** taken + ((byte >>> (free - taken)) & (2 ** taken - 1));
      this.position += taken;
      left -= taken;
    }
    return value;
  }
}
