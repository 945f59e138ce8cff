/** Undo actions, run in reverse order. */
export interface CleanupStack {
  add(undo: () => Promise<void>): void;
  /** Runs all actions even if some fail; returns the failures. */
  run(): Promise<readonly unknown[]>;
}

/** An empty stack. */
export function cleanupStack(): CleanupStack {
  const undos: (() => Promise<void>)[] = [];
  return {
    add(undo) {
      undos.push(undo);
    },
    async run() {
      const failures: unknown[] = [];
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
        await undo().catch((error: unknown) => failures.push(error));
      }
      return failures;
    },
  };
}
