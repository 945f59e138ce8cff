/**
 * Joins slices of one byte array, given in ascending order without overlap. Adjacent slices are not copied; others are
 * copied once, at most the length of the source.
 */
export class SliceGatherer {
  private readonly source: Uint8Array;
  private pendingStart = 0;
  private pendingEnd = 0;
  private joined: Uint8Array | null = null;
  private joinedLength = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  /** Appends the bytes from `start` to before `end`. */
  add(start: number, end: number): void {
    if (start === end) return;
    if (start !== this.pendingEnd || this.pendingEnd === this.pendingStart) {
      if (this.pendingEnd > this.pendingStart) this.copyPending();
      this.pendingStart = start;
    }
    this.pendingEnd = end;
  }

  /** The slices added so far, in order; a view of the source if nothing was copied. */
  bytes(): Uint8Array {
    if (this.joined === null) return this.source.subarray(this.pendingStart, this.pendingEnd);
    this.copyPending();
    return this.joined.subarray(0, this.joinedLength);
  }

  private copyPending(): void {
    this.joined ??= new Uint8Array(this.source.length);
    this.joined.set(this.source.subarray(this.pendingStart, this.pendingEnd), this.joinedLength);
    this.joinedLength += this.pendingEnd - this.pendingStart;
    this.pendingStart = this.pendingEnd;
  }
}
