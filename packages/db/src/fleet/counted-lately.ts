/** A count that is made once for everybody who asks meanwhile, and for those who ask soon afterwards. */
export interface CountedLately<T> {
  /** What was counted lately, or is counted now. What failed is not kept. */
  count(): Promise<T>;
  /** Something has changed: who asks from now on gets what is counted from now on. */
  forget(): void;
}

/**
 * Keeps a count for a time that the count itself tells, so that what is small is always counted.
 * @param holdsMs for how many milliseconds a count stands.
 * @param now in milliseconds, of a clock that does not go back.
 */
export function countedLately<T>(
  count: () => Promise<T>,
  holdsMs: (counted: T) => number,
  now = () => performance.now(),
): CountedLately<T> {
  let counted: { readonly value: T; readonly until: number } | null = null;
  let counting: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const begunMs = now();
    const begun: Promise<T> = count()
      .then((value) => {
        // What was forgotten meanwhile is not kept.
        if (counting === begun) counted = { value, until: begunMs + holdsMs(value) };
        return value;
      })
      .finally(() => {
        if (counting === begun) counting = null;
      });
    return begun;
  };
  return {
    async count() {
      if (counted !== null && now() < counted.until) return counted.value;
      counting ??= begin();
      return counting;
    },
    forget() {
      counted = null;
      counting = null;
    },
  };
}
