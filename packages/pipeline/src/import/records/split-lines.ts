import { recordLimits } from './feed-record.ts';

const newline = 10;

/** One line of a text. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Null for a line above the limit of a record, whose text is skipped. */
  readonly text: string | null;
}

/** The lines of a text without line ends. Holds at most one line of the largest record in memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const take = (): Line => {
    // The decoder drops a byte order mark and replaces bytes that are not UTF-8.
    const text = length > recordLimits.recordBytes ? null : new TextDecoder().decode(Buffer.concat(parts));
    parts = [];
    length = 0;
    return { number: number++, text };
  };
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length > recordLimits.recordBytes) parts = [];
    else if (piece.length > 0) parts.push(piece);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
