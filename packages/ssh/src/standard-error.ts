/** The end of a host's standard error that is kept, in bytes. */
const keptBytes = 4_096;

/** A host's standard error: its end, and whether a word ever occurred. */
export interface StandardError {
  append(chunk: Buffer): void;
  /** Total length, in bytes. */
  readonly length: number;
  readonly said: boolean;
  readonly end: Buffer;
}

/** Searches for `word` (ASCII), also across two chunks. */
export function createStandardError(word: string): StandardError {
  let end = Buffer.alloc(0);
  let said = false;
  let length = 0;
  return {
    append(chunk) {
      length += chunk.length;
      const seen = Buffer.concat([end, chunk]);
      said ||= seen.includes(word, 0, 'latin1');
      end = Buffer.from(seen.subarray(-keptBytes));
    },
    get length() {
      return length;
    },
    get said() {
      return said;
    },
    get end() {
      return end;
    },
  };
}
