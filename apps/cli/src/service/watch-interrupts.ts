/** What a person wants who presses Ctrl-C. */
export interface Interrupts {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP: stop, and let work in hand finish. */
  readonly stop: AbortSignal;
  /** Aborted by the next one: stop now. */
  readonly hurry: AbortSignal;
}

/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: what arrives this soon is the same key press. */
const samePressMs = 1000;

/** Takes over the signals that ask this process to end. */
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
