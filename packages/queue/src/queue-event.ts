/**
 * How one delivery ended. `done`: the handler returned. `retried`: it failed and will be tried again after its backoff.
 * `failed`: its last attempt failed and the job is dropped. `invalid_payload`: the job was dropped before it reached
 * the handler. `put_back`: a shutdown interrupted it; the job waits again and no attempt is used up.
 */
export type DeliveryOutcome = 'done' | 'retried' | 'failed' | 'invalid_payload' | 'put_back';

/**
 * Events of the queue that no return value reports, for logs and metrics. Every event except connection errors names
 * its job. `ring_lost` is harmless (the scheduler rings again), but its count shows the queue's health: `away` no
 * connection, `overflow` too many rings wait to be sent, `refused` the backend returned an error or no answer in time;
 * some of these rings may have arrived.
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
  /** This worker could not renew its lock: the job may be delivered to another worker while it still runs here. */
  | { readonly kind: 'lock_lost'; readonly job: string; readonly jobId: string }
  | { readonly kind: 'backend_error'; readonly job: string | null; readonly error: unknown };

/** Receives events in the order in which they happen. Must not throw. */
export type Observe = (event: QueueEvent) => void;
