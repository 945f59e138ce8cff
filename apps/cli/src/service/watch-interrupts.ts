/** The requests that Ctrl-C makes. */
export interface Interrupts {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP: stop after finishing work in progress. */
  readonly stop: AbortSignal;
  /** Aborted by the next one: stop now. */
  readonly hurry: AbortSignal;
}

/**
 * A terminal sends Ctrl-C to npm and to this process, and npm passes it on: signals this close together are one key
 * press.
 */
const samePressMs = 1000;

/** Handles the signals that end this process. */
export function watchInterrupts(): Interrupts {
  const stop = new AbortController();
  const hurry = new AbortController();
  let firstAt = 0;
  const interrupted = (): void => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort();
    } else if (performance.now() - firstAt > samePressMs) {
      hurry.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  return { stop: stop.signal, hurry: hurry.signal };
}
