/**
 * Runs a step that must end within `ms`: its signal is aborted with `expired()` when the time is over, and with the
 * reason of `parent` when that is aborted. The step has to reject then; its timer and listener are gone afterwards.
 */
export async function within<T>(
  parent: AbortSignal,
  ms: number,
  expired: () => Error,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  parent.throwIfAborted();
  const controller = new AbortController();
  const pass = () => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(expired()), ms);
  parent.addEventListener('abort', pass, { once: true });
  try {
    return await step(controller.signal);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener('abort', pass);
  }
}

/**
 * A promise that rejects with the signal's reason as soon as that is aborted. `start` returns what takes its
 * listeners away and is called once, however the promise ends; nothing may be settled before it has returned.
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
