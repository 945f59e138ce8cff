import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields each item in a separate turn of the event loop, so that other requests are served in between. */
export async function* oneATurn<T>(items: Iterable<T>): AsyncIterable<T> {
  for (const item of items) {
    await nextTurn();
    yield item;
  }
}
