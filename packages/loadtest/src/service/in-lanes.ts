/** Works on items with at most `lanes` at a time, in their order. Rejects with the first error, after its lane ended. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && !failed; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Resolves for each call at its own time: the first at once, each further one `1 / rate` seconds later. */
export function createPace(rate: number): () => Promise<void> {
  let next = performance.now();
  return async () => {
    const now = performance.now();
    // Time that was lost is not caught up, so that the rate is never exceeded.
    const at = Math.max(next, now);
    next = at + 1_000 / rate;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  };
}
