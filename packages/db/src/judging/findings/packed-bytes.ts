const slabBytes = 2 ** 20;
/** In front of each byte string: its length. */
const lengthBytes = 4;

/** Byte strings by number, many in one buffer: one object for each would take more memory than most of them. */
export class PackedBytes {
  /** Where each begins: `slabBytes` times the number of its slab, plus the offset. */
  #places = new Map<number, number>();
  #slabs: DataView[] = [];
  /** Of the last slab. */
  #used = slabBytes;

  get size(): number {
    return this.#places.size;
  }

  has(id: number): boolean {
    return this.#places.has(id);
  }

  *values(): Iterable<Uint8Array> {
    for (const place of this.#places.values()) yield this.#at(place);
  }

  /** A view of what was added, to be used at once: it keeps its whole slab in memory. Undefined without any. */
  get(id: number): Uint8Array | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#at(place);
  }

  /** Adds a copy. A number can be added once. */
  add(id: number, bytes: Uint8Array): void {
    const needed = lengthBytes + bytes.length;
    if (this.#used + needed > slabBytes) {
      // A slab is larger only if it is for one alone.
      this.#slabs.push(new DataView(new ArrayBuffer(Math.max(slabBytes, needed))));
      this.#used = 0;
    }
    const slab = this.#slabs.at(-1) as DataView; // There is one.
    slab.setUint32(this.#used, bytes.length);
    new Uint8Array(slab.buffer, this.#used + lengthBytes).set(bytes);
    this.#places.set(id, (this.#slabs.length - 1) * slabBytes + this.#used);
    this.#used += needed;
  }

  /** Drops all others, and frees their memory. */
  keepOnly(ids: ReadonlySet<number>): void {
    const kept = new PackedBytes();
    for (const [id, place] of this.#places) if (ids.has(id)) kept.add(id, this.#at(place));
    this.#places = kept.#places;
    this.#slabs = kept.#slabs;
    this.#used = kept.#used;
  }

  #at(place: number): Uint8Array {
    const slab = this.#slabs[Math.floor(place / slabBytes)] as DataView; // Places are of slabs.
    const offset = place % slabBytes;
    return new Uint8Array(slab.buffer, offset + lengthBytes, slab.getUint32(offset));
  }
}
