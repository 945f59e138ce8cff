/** A promise with its resolve and reject functions. A rejection without a handler is ignored on purpose. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes a deferred promise. Settling it again does nothing. */
export function createDeferred<T>(): Deferred<T> {
  let ends: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    ends = { resolve, reject };
  });
  if (ends === undefined) throw new Error('a promise runs its executor at once');
  promise.catch(() => undefined);
  return { promise, ...ends };
}
