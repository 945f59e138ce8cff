import pTimeout from 'p-timeout';

/**
 * Why a queue call or a delivery failed. `unreachable`: no answer in time. `stopped`: closed in the meantime.
 * `job_timeout`: the attempt took longer than its job's timeoutMs. `shutdown`: the worker is shutting down.
 * `invalid_payload`: the payload does not match the registry. `handler_failed`: the handler threw. `not_used`: the
 * process has not opened this queue.
 */
export type QueueErrorCode =
  | 'unreachable'
  | 'stopped'
  | 'job_timeout'
  | 'shutdown'
  | 'invalid_payload'
  | 'handler_failed'
  | 'not_used';

/** An error of the queue, with a closed code. */
export class QueueError extends Error {
  override readonly name = 'QueueError';
  readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, detail: string, options?: { readonly cause: unknown }) {
    super(detail, options);
    this.code = code;
  }
}

/** Errors of Redis and its client while it is away, full, loading or a replica. */
const awayMessages =
  /^(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN) |^Connection is closed|^Stream isn't writeable|max retries per request|^Command timed out/;

/** Whether an error means that the queue's backend does not do its work for now. */
export function isQueueAway(error: Error): boolean {
  return (error instanceof QueueError && error.code === 'unreachable') || awayMessages.test(error.message);
}

/** Settles as `promise` does; rejects with `unreachable` after `limitMs`, and drops what `promise` does later. */
export function withinMs<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  const late = new QueueError('unreachable', `${what} took longer than ${limitMs} ms`);
  return pTimeout(promise, { milliseconds: limitMs, message: late });
}
