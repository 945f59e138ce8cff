/**
 * How one delivery ended. `done`: the handler returned. `retried`: it failed and the job is tried again after its
 * backoff. `failed`: it failed and no attempt is left, the job is gone. `invalid_payload`: the job is gone unseen by
 * the handler. `put_back`: interrupted by shutdown, the job waits again and no attempt was used up.
 */
export type DeliveryOutcome = 'done' | 'retried' | 'failed' | 'invalid_payload' | 'put_back';

/**
 * What happens in the queue and nobody is told by a return value; for logs and metrics. Every event but the errors of
 * a connection names its job. `ring_lost` is harmless (the scheduler rings again), its count tells how the queue does:
 * `away` no connection, `overflow` too many rings wait to be sent, `refused` the backend answered with an error or not
 * in time, in which case some of them may have arrived.
 */
export type QueueEvent =
  | {
      readonly kind: 'ring_lost';
      readonly job: string;
      readonly count: number;
      readonly reason: 'away' | 'overflow' | 'refused';
      readonly error: unknown;
    }
  | {
      readonly kind: 'delivery_ended';
      readonly job: string;
      readonly jobId: string;
      readonly outcome: DeliveryOutcome;
      readonly attempt: number;
      readonly durationMs: number;
      readonly error: unknown;
    }
  /** The job's worker died or hung; the job waits again. */
  | { readonly kind: 'job_stalled'; readonly job: string; readonly jobId: string }
  /** This worker could not renew its lock: the job may be delivered to another one while it runs here. */
  | { readonly kind: 'lock_lost'; readonly job: string; readonly jobId: string }
  | { readonly kind: 'backend_error'; readonly job: string | null; readonly error: unknown };

/** Takes events, in the order in which they happen. Must not throw. */
export type Observe = (event: QueueEvent) => void;
