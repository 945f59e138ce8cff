import { setTimeout as delay } from 'node:timers/promises';
import { type Batcher, batchJobs, type ItemResult } from './batch-jobs.ts';

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
export interface Lanes<Lane extends string, Item, Result> {
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
