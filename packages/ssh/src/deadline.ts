import pTimeout from 'p-timeout';

/**
 * Runs a step that must end within `ms`: its signal aborts with `expired()` after that time, and with the reason of
 * `parent` when that aborts. The step has to reject then.
 */
export async function within<T>(
  parent: AbortSignal,
  ms: number,
  expired: () => Error,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  parent.throwIfAborted();
  const overdue = new AbortController();
  const timer = setTimeout(() => overdue.abort(expired()), ms);
  try {
    return await step(AbortSignal.any([parent, overdue.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Settles as the promise does, or rejects with the signal's reason when that aborts first. */
export function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return pTimeout(promise, { milliseconds: Number.POSITIVE_INFINITY, signal });
}

/**
 * A promise that rejects with the signal's reason as soon as that is aborted. `start` returns a function that removes
 * its listeners, called once however the promise ends; nothing may be settled before `start` has returned.
 */
export function untilAborted<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    let ended = false;
    const aborted = () => end(() => reject(signal.reason));
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', aborted);
      stop();
      settle();
    };
    signal.addEventListener('abort', aborted, { once: true });
    const stop = start(
      (value) => end(() => resolve(value)),
      (reason) => end(() => reject(reason)),
    );
  });
}
