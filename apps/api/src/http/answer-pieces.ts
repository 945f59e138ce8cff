import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerBytes } from '../connections/connection-limits.ts';

/** Bytes piece by piece: of one large piece it would not show whether a client takes any of it. */
export function* slicesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += answerBytes) {
    yield bytes.subarray(offset, offset + answerBytes);
  }
}

/** Rows as a JSON array, a little more than `answerBytes` at a time, between which others have their turn. */
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
      // Rows of one batch are many, and other requests wait.
      await nextTurn();
    }
  }
  yield `${text}]`;
}
