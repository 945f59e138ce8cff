/** A set of positive integers with one bit per integer, for the ids of one table. */
export class IdMarks {
  #bits = new Uint8Array(1024);

  add(id: number): void {
    const byte = id >>> 3;
    if (byte >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (id & 7));
  }

  /** Whether an id is marked. */
  has(id: number): boolean {
    return ((this.#bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
}
