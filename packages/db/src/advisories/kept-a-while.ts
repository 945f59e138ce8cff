/** An answer is new for so many times as long as it took to find. */
const newForTimes = 20;
/** No answer is older than so much and what finding the next one takes. */
const oldestMs = 5 * 60_000;

/**
 * Finds something once for everybody who asks meanwhile, and for those who ask soon afterwards: what takes a second is
 * found anew after twenty at the earliest. Who asks then gets what stands, and the next one is found meanwhile; only who
 * asks for the first time, or after five minutes, waits. What failed is not kept.
 * @param now in milliseconds, of a clock that does not go back.
 */
export function keptAWhile<T>(find: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let found: { readonly value: T; readonly foundAt: number; readonly newUntil: number } | null = null;
  let finding: Promise<T> | null = null;
  const findAnew = async (): Promise<T> => {
    const begun = now();
    try {
      const value = await find();
      found = { value, foundAt: begun, newUntil: now() + newForTimes * (now() - begun) };
      return value;
    } finally {
      finding = null;
    }
  };
  return async () => {
    if (found !== null && now() < found.newUntil) return found.value;
    finding ??= findAnew();
    if (found === null || now() - found.foundAt > oldestMs) return finding;
    // Who asks when it is too old hears of it; until then what stands is good enough.
    finding.catch(() => undefined);
    return found.value;
  };
}
