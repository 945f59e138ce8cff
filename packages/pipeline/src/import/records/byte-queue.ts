/** Reads exact numbers of bytes from chunks of any size. */
export class ByteQueue {
  private readonly chunks: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next `count` bytes; fewer if the chunks end first. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let lacking = count;
    while (lacking > 0) {
      if (this.held.length === 0 && !(await this.fill())) break;
      const part = this.held.subarray(0, lacking);
      this.held = this.held.subarray(part.length);
      lacking -= part.length;
      parts.push(part);
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  private async fill(): Promise<boolean> {
    const next = await this.chunks.next();
    if (next.done === true) return false;
    this.held = next.value;
    return true;
  }
}
