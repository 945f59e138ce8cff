import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerBytes } from '../connections/connection-limits.ts';

/** Rows made before other requests run. */
const batchRows = 200;

/** Makes the rows of an answer in batches, as its client reads them. */
export async function* inBatches<From, To>(
  items: readonly From[],
  rowOf: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for (let n = 0; n < items.length; n += batchRows) yield items.slice(n, n + batchRows).map(rowOf);
}

/** Bytes in pieces: with one large piece the server could not see whether the client reads it. */
export function* slicesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += answerBytes) {
    yield bytes.subarray(offset, offset + answerBytes);
  }
}

/** Rows as a JSON array in pieces of a little more than `answerBytes`; other requests run between pieces. */
export async function* rowPieces(rows: AsyncIterable<readonly unknown[]>): AsyncIterable<string> {
  let text = '[';
  let separator = '';
  for await (const batch of rows) {
    for (const row of batch) {
      text += separator + JSON.stringify(row);
      separator = ',';
      if (text.length < answerBytes) continue;
      yield text;
      text = '';
      // A batch has many rows, and other requests wait.
      await nextTurn();
    }
  }
  yield `${text}]`;
}
