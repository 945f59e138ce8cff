import { QueueError } from './queue-error.ts';

/** Milliseconds that a handler may run after its signal aborts, before it is abandoned. */
const abortGraceMs = 5_000;

/** The delivery that a handler works on. */
export interface Delivery {
  /** Aborts when the attempt takes longer than timeoutMs or the worker shuts down; the handler must then stop soon. */
  readonly signal: AbortSignal;
  /** The number of the attempt, from 1. The death of a worker does not use up an attempt. */
  readonly attempt: number;
  /** Whether the job is dropped if this attempt fails. If so, the handler records the failure. */
  readonly lastAttempt: boolean;
  /**
   * The number of starts including this one, from 1. If it is above `attempt`, a worker died or shut down during an
   * earlier start.
   */
  readonly starts: number;
}

/** Does a job's work. Returning completes the job, throwing fails the attempt. See docs/adding-a-job.md. */
export type JobHandler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>;

/** The result of running a handler. */
export type HandlerEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'interrupted' };

/**
 * Runs a handler once. The result is `failed` with `job_timeout` if it does not return in time, and `interrupted` if it
 * stopped because of the shutdown. A handler that ignores its signal is abandoned after `abortGraceMs`; its late result
 * is dropped.
 */
export async function runHandler(
  work: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  shutdown: AbortSignal,
): Promise<HandlerEnd> {
  const abort = new AbortController();
  const abandoned = new AbandonTimer(abort.signal);
  const onShutdown = () => abort.abort(new QueueError('shutdown', 'the worker is shutting down'));
  shutdown.addEventListener('abort', onShutdown);
  if (shutdown.aborted) onShutdown();
  const timer = setTimeout(
    () => abort.abort(new QueueError('job_timeout', `the attempt took longer than ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const end = await Promise.race([attempt(work, abort.signal), abandoned.elapsed]);
    if (end.kind === 'done' || !abort.signal.aborted) return end;
    const reason: unknown = abort.signal.reason;
    return reason instanceof QueueError && reason.code === 'shutdown'
      ? { kind: 'interrupted' }
      : { kind: 'failed', error: reason };
  } finally {
    clearTimeout(timer);
    abandoned.clear();
    shutdown.removeEventListener('abort', onShutdown);
  }
}

async function attempt(
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<HandlerEnd> {
  try {
    await work(signal);
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Fires `abortGraceMs` after a signal aborts. */
class AbandonTimer {
  readonly elapsed: Promise<HandlerEnd>;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    this.elapsed = new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.#timer = setTimeout(() => resolve({ kind: 'failed', error: signal.reason }), abortGraceMs);
      });
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
