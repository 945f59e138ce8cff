/** How much of a host's standard error is kept, bytes: the end of it. */
const keptBytes = 4_096;

/** What a host says on standard error: its end, and whether a word was ever said. */
export interface StandardError {
  append(chunk: Buffer): void;
  /** All that was said, bytes. */
  readonly length: number;
  readonly said: boolean;
  readonly end: Buffer;
}

/** Looks for `word` (ASCII), wherever it is cut between two chunks. */
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
