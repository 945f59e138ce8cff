import { setTimeout as delay } from 'node:timers/promises';

/** The result of one item of a batch. */
export type ItemResult<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Collects single items into batches. */
export interface Batcher<Item, Result> {
  /**
   * Adds an item; settles with the item's own result. If the signal aborts before the item's batch begins, rejects with
   * the signal's reason. `alone` requests a separate batch, for items that may have crashed an earlier one.
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
 * Combines items that arrive one by one into batches, e.g. the jobs of a consumer whose concurrency is at least
 * `maxSize`. Runs one batch at a time, in order of arrival. A batch starts when `maxSize` items wait, when the previous
 * batch ends, or `maxDelayMs` after the first item arrived. `run` returns one result per item, in order; its signal
 * aborts once the signals of all items have. If it rejects or returns a wrong number of results, each item is run
 * alone, so that a bad item fails alone.
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
          if (place < 0) return; // in a running batch, which settles it
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

/** Removes the next batch from the front: an item with `alone`, or the items before the next such item. */
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

/** A signal that aborts once all `signals` have, with the reason of the last one in the list. */
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

/**
 * After a longer run of an item, its slow lane pauses for the same time, so that other work gets half of the machine.
 */
const longRunMs = 500;

/** How an item waits for its start. */
interface Turn {
  readonly signal: AbortSignal;
  /** As in `Batcher.add`. */
  readonly alone: boolean;
}

/**
 * Runs ordinary items in batches and items of slow lanes one by one, so that slow items delay few others, and only
 * briefly.
 */
interface Lanes<Lane extends string, Item, Result> {
  /** Like `Batcher.add`. */
  add(item: Item, turn: Turn): Promise<Result>;
  /**
   * Like `add`, in a slow lane. The item starts when no ordinary item is waiting or running, or after `longestWaitMs`;
   * ordinary items that arrive later run beside it. After an item that took long, the lane waits for the same time, at
   * most `longestWaitMs`.
   */
  addTo(lane: Lane, item: Item, turn: Turn): Promise<Result>;
}

/**
 * One batcher for ordinary items and one for each slow lane, all with the same `run`. Waiting slow items occupy their
 * consumer's concurrency, so each slow lane needs a separate queue.
 */
export function createLanes<Lane extends string, Item, Result>(options: {
  readonly maxSize: number;
  readonly maxDelayMs: number;
  readonly longestWaitMs: number;
  readonly slow: readonly Lane[];
  readonly run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly ItemResult<Result>[]>;
}): Lanes<Lane, Item, Result> {
  const { longestWaitMs, slow, run } = options;
  const ordinary = batchJobs<Item, Result>(options);
  const waiting = new Set<() => void>();
  let inHand = 0;
  const gap = () =>
    new Promise<void>((resolve) => {
      const proceed = () => {
        clearTimeout(timer);
        waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, longestWaitMs);
      waiting.add(proceed);
      if (inHand === 0) proceed();
    });
  const lanes = new Map(slow.map((lane) => [lane, slowLane({ gap, longestWaitMs, run })]));
  return {
    async add(item, turn) {
      inHand += 1;
      try {
        return await ordinary.add(item, turn);
      } finally {
        inHand -= 1;
        if (inHand === 0) for (const proceed of [...waiting]) proceed();
      }
    },
    async addTo(lane, item, turn) {
      const batcher = lanes.get(lane);
      if (batcher === undefined) throw new Error(`there is no lane ${lane}`);
      return batcher.add(item, turn);
    },
  };
}

/** Runs one item at a time, when no ordinary item is waiting or running. */
function slowLane<Item, Result>(options: {
  readonly gap: () => Promise<void>;
  readonly longestWaitMs: number;
  readonly run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly ItemResult<Result>[]>;
}): Batcher<Item, Result> {
  let restMs = 0;
  return batchJobs<Item, Result>({
    maxSize: 1,
    maxDelayMs: 0,
    async run(items, signal) {
      await delay(restMs);
      await options.gap();
      const startedAt = performance.now();
      try {
        return await options.run(items, signal);
      } finally {
        const tookMs = performance.now() - startedAt;
        restMs = tookMs > longRunMs ? Math.min(tookMs, options.longestWaitMs) : 0;
      }
    },
  });
}
