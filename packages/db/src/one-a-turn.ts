import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields each item in a later turn of the event loop than the one before, so that other requests are served in between. */
export async function* oneATurn<T>(items: Iterable<T>): AsyncIterable<T> {
  for (const item of items) {
    await nextTurn();
    yield item;
  }
}
