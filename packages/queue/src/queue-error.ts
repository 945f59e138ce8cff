/**
 * Why a queue call or a delivery did not succeed. `unreachable`: no answer in time. `stopped`: closed meanwhile.
 * `job_timeout`: the attempt outlived its job's timeoutMs. `shutdown`: the worker goes down. `invalid_payload`: what
 * was rung is not what the registry says. `handler_failed`: the handler threw. `not_used`: the process has not opened this queue.
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
