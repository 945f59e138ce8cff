/** Limits the total size of work done at a time. */
export interface SizedTurns {
  /** Runs work when it is its turn: the smallest of the waiting work first, then the oldest. */
  take<T>(size: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly size: number;
  begin(): void;
}

/** Turns with a limit on the total size at a time. */
export function createSizedTurns(atOnce: number): SizedTurns {
  let waiting: readonly Waiting[] = [];
  let free = atOnce;
  const next = (): void => {
    free += 1;
    const [first] = waiting;
    if (first === undefined) return;
    free -= 1;
    waiting = waiting.slice(1);
    first.begin();
  };
  const wait = (size: number): Promise<void> =>
    new Promise((begin) => {
      const behind = waiting.findIndex((other) => other.size > size);
      waiting = waiting.toSpliced(behind < 0 ? waiting.length : behind, 0, { size, begin });
    });
  return {
    async take(size, work) {
      if (free > 0) free -= 1;
      else await wait(size);
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
