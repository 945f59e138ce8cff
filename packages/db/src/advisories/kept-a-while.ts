/** An answer is new for so many times as long as it took to find. */
const newForTimes = 20;
/** Nobody is spared so short a wait: what is found so quickly is found anew once it is not new any more. */
const quickMs = 250;
/** No answer is older than so much and what finding the next one takes. */
const oldestMs = 5 * 60_000;

/**
 * Finds something once for everybody who asks meanwhile, and for those who ask soon afterwards: what takes a second is
 * found anew after twenty at the earliest. Who asks then gets what stands, and the next one is found meanwhile; only who
 * asks for the first time, or after five minutes, or for what is found quickly, waits. What failed is not kept.
 * @param now in milliseconds, of a clock that does not go back.
 */
export function keptAWhile<T>(find: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let found: {
    readonly value: T;
    readonly foundAt: number;
    readonly newUntil: number;
    readonly tookMs: number;
  } | null = null;
  let finding: Promise<T> | null = null;
  const findAnew = async (): Promise<T> => {
    const begun = now();
    try {
      const value = await find();
      const tookMs = now() - begun;
      found = { value, foundAt: begun, newUntil: now() + newForTimes * tookMs, tookMs };
      return value;
    } finally {
      finding = null;
    }
  };
  return async () => {
    if (found !== null && now() < found.newUntil) return found.value;
    finding ??= findAnew();
    if (found === null || found.tookMs < quickMs || now() - found.foundAt > oldestMs) return finding;
    // Who asks when it is too old hears of it; until then what stands is good enough.
    finding.catch(() => undefined);
    return found.value;
  };
}
