/** What became of one item of a batch. */
export type ItemResult<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Collects single items into batches. */
export interface Batcher<Item, Result> {
  /**
   * Hands an item over; settles as that item comes out. One whose signal aborts before its batch began rejects with
   * the signal's reason. `alone` asks for a batch of its own: for items that may have brought down the one before.
   */
  add(item: Item, options: { readonly signal: AbortSignal; readonly alone: boolean }): Promise<Result>;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly signal: AbortSignal;
  readonly alone: boolean;
  settle(result: ItemResult<Result>): void;
}

/**
 * Makes batches of items that come one by one, such as jobs of a consumer whose concurrency is at least `maxSize`.
 * One batch runs at a time, in order of arrival; it starts when `maxSize` items wait, when the batch before it ends,
 * or `maxDelayMs` after the first item came. `run` answers for every item, in order; its signal aborts when those of
 * all its items have. If it rejects or answers for another number, each item is run alone, so that a bad one takes
 * nobody with it.
 */
export function batchJobs<Item, Result>(options: {
  readonly maxSize: number;
  readonly maxDelayMs: number;
  readonly run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly ItemResult<Result>[]>;
}): Batcher<Item, Result> {
  const waiting: Entry<Item, Result>[] = [];
  let running = false;
  let timer: NodeJS.Timeout | undefined;

  const runAll = async (): Promise<void> => {
    running = true;
    clearTimeout(timer);
    timer = undefined;
    for (
      let batch = take(waiting, options.maxSize);
      batch.length > 0;
      batch = take(waiting, options.maxSize)
    ) {
      await runBatch(batch, options.run);
    }
    running = false;
  };

  return {
    add: (item, { signal, alone }) =>
      new Promise<Result>((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = () => {
          const place = waiting.indexOf(entry);
          if (place < 0) return; // in a running batch, which answers for it
          waiting.splice(place, 1);
          reject(signal.reason);
        };
        const entry: Entry<Item, Result> = {
          item,
          signal,
          alone,
          settle: (result) => {
            signal.removeEventListener('abort', onAbort);
            if (result.kind === 'done') resolve(result.value);
            else reject(result.error);
          },
        };
        signal.addEventListener('abort', onAbort);
        waiting.push(entry);
        if (running) return;
        if (waiting.length >= options.maxSize) void runAll();
        else timer ??= setTimeout(runAll, options.maxDelayMs);
      }),
  };
}

/** Takes the next batch off the front: one that wants to be alone, or those before the next such one. */
function take<Item, Result>(waiting: Entry<Item, Result>[], maxSize: number): Entry<Item, Result>[] {
  if (waiting[0]?.alone === true) return waiting.splice(0, 1);
  const nextAlone = waiting.findIndex((entry) => entry.alone);
  return waiting.splice(0, Math.min(maxSize, nextAlone < 0 ? waiting.length : nextAlone));
}

/** Runs a batch and settles all its entries. Never rejects. */
async function runBatch<Item, Result>(
  entries: readonly Entry<Item, Result>[],
  run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly ItemResult<Result>[]>,
): Promise<void> {
  const signals = watchAll(entries.map((entry) => entry.signal));
  try {
    const results = await run(
      entries.map((entry) => entry.item),
      signals.allAborted,
    );
    if (results.length !== entries.length) {
      throw new RangeError(`a batch of ${entries.length} items got ${results.length} results`);
    }
    results.forEach((result, index) => {
      entries[index]?.settle(result);
    });
  } catch (error) {
    const [only] = entries;
    if (entries.length === 1 || only === undefined) {
      only?.settle({ kind: 'failed', error });
      return;
    }
    for (const entry of entries) {
      if (entry.signal.aborted) entry.settle({ kind: 'failed', error: entry.signal.reason });
      else await runBatch([entry], run);
    }
  } finally {
    signals.stopWatching();
  }
}

/** A signal that aborts, with the last one's reason, when all of `signals` have. */
function watchAll(signals: readonly AbortSignal[]): { allAborted: AbortSignal; stopWatching(): void } {
  const all = new AbortController();
  const check = () => {
    if (signals.every((signal) => signal.aborted)) all.abort(signals.at(-1)?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', check);
  check();
  return {
    allAborted: all.signal,
    stopWatching: () => {
      for (const signal of signals) signal.removeEventListener('abort', check);
    },
  };
}
