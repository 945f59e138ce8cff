import { type Job, UnrecoverableError, WaitingError } from 'bullmq';
import type { Backend, JobReceiver, ReceiverListener } from './backend.ts';
import { type HandlerEnd, type JobHandler, runHandler } from './delivery.ts';
import type { JobSpec } from './jobs.ts';
import { QueueError, withinMs } from './queue-error.ts';
import type { DeliveryOutcome, Observe } from './queue-event.ts';
import { untilReady } from './until-ready.ts';

/** Milliseconds for the backend to store the results of jobs after all handlers have ended. */
const notingLimitMs = 3_000;

/** Takes jobs of one queue until it is closed. */
export interface Consumer {
  /**
   * Takes no more jobs and waits for running ones. After `graceMs` (default: unlimited), aborts the signals of jobs
   * that still run and puts these back. Takes at most graceMs + 8 s, regardless of handlers and backend.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Starts taking jobs as soon as the backend is available; retries without end. */
export function openConsumer<Payload>(options: {
  readonly job: string;
  readonly spec: JobSpec<Payload>;
  readonly backend: Backend;
  readonly handler: JobHandler<Payload>;
  readonly concurrency: number;
  readonly observe: Observe;
}): Consumer {
  const { job, spec, backend, observe } = options;
  const stop = new AbortController();
  const shutdown = new AbortController();
  const onError = (error: unknown) => observe({ kind: 'backend_error', job, error });
  const inHand = new Set<Promise<HandlerEnd>>();
  const run = async (
    work: (signal: AbortSignal) => Promise<void>,
    timeoutMs: number,
  ): Promise<HandlerEnd> => {
    const end = runHandler(work, timeoutMs, shutdown.signal);
    inHand.add(end);
    try {
      return await end;
    } finally {
      inHand.delete(end);
    }
  };
  const listener: ReceiverListener = {
    deliver: (bullJob, token) =>
      deliver({ ...options, run: (work) => run(work, spec.timeoutMs) }, bullJob, token),
    stalled: (jobId) => observe({ kind: 'job_stalled', job, jobId }),
    lockLost: (jobId) => observe({ kind: 'lock_lost', job, jobId }),
    error: onError,
  };
  const opened: Promise<JobReceiver | null> = untilReady(
    (signal) => backend.openReceiver(job, spec, options.concurrency, listener, signal),
    stop.signal,
    onError,
  );

  const closeReceiver = async (graceMs: number): Promise<void> => {
    stop.abort();
    const receiver = await opened;
    if (receiver === null) return;
    const noted = receiver.close();
    const timer = setTimeout(() => shutdown.abort(), graceMs);
    while (inHand.size > 0) await Promise.all(inHand);
    await withinMs(noted, notingLimitMs, 'closing a consumer').catch((error: unknown) => {
      onError(error);
      receiver.disconnect().catch(onError);
    });
    clearTimeout(timer);
    shutdown.abort(); // a job that was being fetched may have begun after the others ended
  };
  let closed: Promise<void> | undefined;
  return {
    close: ({ graceMs = 0 } = {}) => {
      closed ??= closeReceiver(graceMs);
      return closed;
    },
  };
}

/** Runs one delivery as a BullMQ processor: returning completes the job, throwing fails or moves it. */
async function deliver<Payload>(
  options: {
    readonly job: string;
    readonly spec: JobSpec<Payload>;
    readonly handler: JobHandler<Payload>;
    readonly observe: Observe;
    readonly run: (work: (signal: AbortSignal) => Promise<void>) => Promise<HandlerEnd>;
  },
  bullJob: Job,
  token: string,
): Promise<void> {
  const { job, spec } = options;
  const startedAt = performance.now();
  const attempt = bullJob.attemptsMade + 1;
  // The number of attempts was stored with the ring, possibly by an older version.
  const lastAttempt = attempt >= (bullJob.opts.attempts ?? 1);
  const observeEnd = (outcome: DeliveryOutcome, error: unknown) =>
    options.observe({
      kind: 'delivery_ended',
      job,
      jobId: bullJob.id ?? '',
      outcome,
      attempt,
      durationMs: performance.now() - startedAt,
      error,
    });

  const payload = spec.payload.safeParse(bullJob.data);
  if (!payload.success) {
    const error = new QueueError('invalid_payload', 'the payload does not match the registry', {
      cause: payload.error,
    });
    observeEnd('invalid_payload', error);
    throw new UnrecoverableError(error.code);
  }
  const starts = Math.max(bullJob.attemptsStarted, attempt);
  const end = await options.run((signal) =>
    options.handler(payload.data, { signal, attempt, lastAttempt, starts }),
  );
  switch (end.kind) {
    case 'done':
      observeEnd('done', null);
      return;
    case 'interrupted':
      observeEnd('put_back', null);
      await bullJob.moveToWait(token);
      throw new WaitingError();
    case 'failed':
      observeEnd(lastAttempt ? 'failed' : 'retried', end.error);
      // BullMQ stores the message. The code is enough, and keeps host data out of the queue.
      throw new QueueError('handler_failed', 'handler_failed');
    default:
      end satisfies never;
  }
}
