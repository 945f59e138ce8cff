import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that goes on all the time must not stop other work: this is how long that waits at a time. */
const longestWaitMs = 40;

/** Lets short work of a process, such as matching uploads, go before long work of the same process. */
export class Precedence {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Runs short work: other work waits for it when it next calls `giveWay`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#endWaits();
    }
  }

  /** Gives other work of the process a turn, and waits for short work, 40 ms at most. */
  async giveWay(): Promise<void> {
    await nextTurn();
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWaitMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #endWaits(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const end of waiting) end();
  }
}
