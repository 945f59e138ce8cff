import { setTimeout as delay } from 'node:timers/promises';
import { type Batcher, batchJobs, type ItemResult } from './batch-jobs.ts';

/** An item of a slow lane that took longer is followed by a rest of the same length: the others get half of the machine. */
const longRunMs = 500;

/** How an item waits for its turn. */
interface Turn {
  readonly signal: AbortSignal;
  /** As in `Batcher.add`. */
  readonly alone: boolean;
}

/** Takes ordinary items in batches, and those of slow lanes one by one, so that these delay few others, and none for long. */
export interface Lanes<Lane extends string, Item, Result> {
  /** As `Batcher.add`. */
  add(item: Item, turn: Turn): Promise<Result>;
  /**
   * As `add`, in a slow lane: begins when no ordinary item is in hand, or when it has waited for `longestWaitMs`; ordinary
   * ones that come meanwhile run beside it. After one that takes long the next one of its lane waits as long,
   * `longestWaitMs` at most.
   */
  addTo(lane: Lane, item: Item, turn: Turn): Promise<Result>;
}

/**
 * A batcher for ordinary items and one for each slow lane, all with one `run`. Slow items wait here for their turn: each
 * slow lane is to be fed by a queue of its own, or they would take the places of ordinary ones.
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

/** Runs one item at a time, in a gap that the others leave. */
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
