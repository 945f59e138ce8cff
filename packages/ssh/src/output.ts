/** Blocks that output is copied into, bytes: what a host sends in tiny pieces costs no more than what it sends. */
const blockBytes = 65_536;

/** Bytes a host has sent, up to a limit. */
export interface Output {
  readonly length: number;
  /** Adds a chunk; false, and nothing added, when that would be more than the limit. */
  append(chunk: Buffer): boolean;
  /** All of it in one piece; the output is empty afterwards. */
  take(): Buffer;
}

/** Makes an empty one that holds up to `limitBytes`. */
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
