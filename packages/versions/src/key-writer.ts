/** Longest sort key, in bytes: a key must fit into a database index entry together with other columns. */
export const MAX_KEY_BYTES = 1000;

/** Collects the bytes of one key at a time. One writer is reused, because imports write millions of keys. */
export class KeyWriter {
  readonly #bytes = new Uint8Array(MAX_KEY_BYTES);
  #length = 0;

  /** Starts a new key. */
  reset(): void {
    this.#length = 0;
  }

  /** Appends one byte, 0 to 255. */
  byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }

  /** Returns a copy of the bytes since the reset. Throws RangeError above MAX_KEY_BYTES. */
  finish(): Uint8Array {
    if (this.#length > MAX_KEY_BYTES) throw new RangeError(`sort key over ${MAX_KEY_BYTES} bytes`);
    return this.#bytes.slice(0, this.#length);
  }
}
