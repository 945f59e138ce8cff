import { setTimeout as delay } from 'node:timers/promises';
import { type Batcher, batchJobs, type ItemResult } from './batch-jobs.ts';

/** A large item that took longer is followed by a rest of the same length: it leaves the others half of the machine. */
const longRunMs = 500;

/** Takes ordinary items in batches and large ones one by one, so that a large one delays few others, and none for long. */
export interface TwoLanes<Item, Result> {
  /** As `Batcher.add`. */
  add(
    item: Item,
    options: { readonly signal: AbortSignal; readonly alone: boolean; readonly isLarge: boolean },
  ): Promise<Result>;
}

/**
 * Two batchers with one `run`. A large item begins when no ordinary one is in hand, or when it has waited for
 * `longestWaitMs`; ordinary ones that come meanwhile run beside it. After one that takes long the next one waits as long,
 * `longestWaitMs` at most.
 */
export function createTwoLanes<Item, Result>(options: {
  readonly maxSize: number;
  readonly maxDelayMs: number;
  readonly longestWaitMs: number;
  readonly run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly ItemResult<Result>[]>;
}): TwoLanes<Item, Result> {
  const { run, longestWaitMs } = options;
  const ordinary = batchJobs<Item, Result>(options);
  let inHand = 0;
  let restMs = 0;
  let waiting: (() => void) | null = null;
  const gap = () =>
    new Promise<void>((resolve) => {
      const proceed = () => {
        clearTimeout(timer);
        waiting = null;
        resolve();
      };
      const timer = setTimeout(proceed, longestWaitMs);
      waiting = proceed;
      if (inHand === 0) proceed();
    });
  const large: Batcher<Item, Result> = batchJobs<Item, Result>({
    maxSize: 1,
    maxDelayMs: 0,
    async run(items, signal) {
      await delay(restMs);
      await gap();
      const startedAt = performance.now();
      try {
        return await run(items, signal);
      } finally {
        const tookMs = performance.now() - startedAt;
        restMs = tookMs > longRunMs ? Math.min(tookMs, longestWaitMs) : 0;
      }
    },
  });
  return {
    async add(item, { isLarge, ...rest }) {
      if (isLarge) return large.add(item, rest);
      inHand += 1;
      try {
        return await ordinary.add(item, rest);
      } finally {
        inHand -= 1;
        if (inHand === 0) waiting?.();
      }
    },
  };
}
