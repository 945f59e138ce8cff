/** Things to undo, last one first. */
export interface CleanupStack {
  add(undo: () => Promise<void>): void;
  /** Undoes everything, also when some of it fails; the failures come back. */
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
