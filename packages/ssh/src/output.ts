/** Size of the blocks that output is copied into, in bytes: tiny pieces then cost no more memory than their content. */
const blockBytes = 65_536;

/** Bytes from a host, up to a limit. */
export interface Output {
  readonly length: number;
  /** Adds a chunk; returns false without adding it if that would exceed the limit. */
  append(chunk: Buffer): boolean;
  /** All bytes in one buffer; the output is empty afterwards. */
  take(): Buffer;
}

/** An empty output that holds up to `limitBytes`. */
export function createOutput(limitBytes: number): Output {
  let blocks: Buffer[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(chunk) {
      if (length + chunk.length > limitBytes) return false;
      for (let taken = 0; taken < chunk.length; ) {
        const used = length % blockBytes;
        if (used === 0) blocks.push(Buffer.allocUnsafeSlow(blockBytes));
        const copied = chunk.copy(blocks.at(-1) ?? Buffer.alloc(0), used, taken);
        taken += copied;
        length += copied;
      }
      return true;
    },
    take() {
      const all = Buffer.concat(blocks, length);
      blocks = [];
      length = 0;
      return all;
    },
  };
}
