/** A promise with its two ends. It may be rejected without anybody looking: what was missed is then meant to be. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes one. Settling it a second time does nothing. */
export function createDeferred<T>(): Deferred<T> {
  let ends: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    ends = { resolve, reject };
  });
  if (ends === undefined) throw new Error('a promise runs its executor at once');
  promise.catch(() => undefined);
  return { promise, ...ends };
}
