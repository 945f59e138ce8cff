import { setImmediate as nextTurn } from 'node:timers/promises';

/** For how long long work waits at a time, in milliseconds: most short work has ended by then. */
const longestWaitMs = 300;
/** How much longer than it works long work may wait for short work that goes on all the time. */
const waitPerWork = 2;

/** Lets short work of a process, such as matching uploads, go before long work of the same process. */
export class Precedence {
  #running = 0;
  #waiting = new Set<() => void>();
  /** For how long long work may still wait, as of `#at`. */
  #leftMs = longestWaitMs;
  #at = performance.now();

  /** Runs short work: other work waits for it when it next calls `giveWay`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const end of [...this.#waiting]) end();
    }
  }

  /** Gives other work of the process a turn, and waits for short work, 300 ms at most and for two thirds of the time. */
  async giveWay(): Promise<void> {
    await nextTurn();
    if (this.#running === 0) return;
    this.#follow();
    if (this.#leftMs <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#follow();
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, this.#leftMs);
      this.#waiting.add(end);
    });
  }

  /** Several callers that wait at a time use up the same time. */
  #follow(): void {
    const now = performance.now();
    const passedMs = now - this.#at;
    const change = this.#waiting.size > 0 ? -passedMs : passedMs * waitPerWork;
    this.#leftMs = Math.min(longestWaitMs, this.#leftMs + change);
    this.#at = now;
  }
}
