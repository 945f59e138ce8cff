import { QueueError } from './queue-error.ts';

/** How long a handler may go on after its signal aborted, before it is left behind; milliseconds. */
export const abortGraceMs = 5_000;

/** What a handler knows of the delivery it works on. */
export interface Delivery {
  /** Aborts when the attempt outlives timeoutMs or the worker shuts down; a handler stops soon after. */
  readonly signal: AbortSignal;
  /** The attempt, from 1. A worker's death uses up none. */
  readonly attempt: number;
  /** Whether the job is given up if this attempt fails: the time to write down that it ended badly. */
  readonly lastAttempt: boolean;
  /** How often the job was started, from 1, this time included. Above `attempt`: a worker died or went down over it. */
  readonly starts: number;
}

/** Does a job's work. Returning ends the job, throwing fails the attempt. See docs/adding-a-job.md. */
export type Handler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>;

/** How the handler came out. */
export type HandlerEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'interrupted' };

/**
 * Runs a handler once. It is `failed` with `job_timeout` when it does not return in time, `interrupted` when it gave
 * up because of the shutdown. A handler that ignores its signal is left behind after `abortGraceMs`; its late result
 * is dropped.
 */
export async function runHandler(
  work: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  shutdown: AbortSignal,
): Promise<HandlerEnd> {
  const abort = new AbortController();
  const abandoned = new AbandonTimer(abort.signal);
  const onShutdown = () => abort.abort(new QueueError('shutdown', 'the worker shuts down'));
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

/** Runs off `abortGraceMs` after a signal aborted. */
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
