import { once } from 'node:events';
import type { Job, JobsOptions, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import type { JobReceiver, JobSender, ReceiverListener } from './backend.ts';
import type { JobSpec } from './job-spec.ts';
import { QueueError } from './queue-error.ts';

/** What we use of a BullMQ queue, whatever its backend. */
export type BullQueue = Pick<
  Queue,
  'addBulk' | 'add' | 'getJobCounts' | 'setGlobalConcurrency' | 'removeGlobalConcurrency' | 'close'
> & { waitUntilReady(): Promise<unknown>; on(event: 'error', listener: (error: Error) => void): unknown };

/** What we use of a BullMQ worker, whatever its backend. */
export type BullWorker = Pick<Worker, 'run' | 'close' | 'disconnect'> & {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown;
};

/** The part of BullMQ's queue options that is the same for every backend. */
export function queueOptions(spec: JobSpec): Omit<QueueOptions, 'connection'> {
  const job: JobsOptions = {
    attempts: spec.attempts,
    backoff: { type: 'exponential', delay: spec.firstBackoffMs, jitter: 0.5 },
    // A job that is kept swallows every later ring of its id.
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
  // Nobody reads BullMQ's own event log; 0 would keep it for ever on PostgreSQL.
  return { defaultJobOptions: job, streams: { events: { maxLen: 256 } } };
}

/** The part of BullMQ's worker options that is the same for every backend. */
export function workerOptions(spec: JobSpec, concurrency: number): Omit<WorkerOptions, 'connection'> {
  return {
    autorun: false,
    concurrency,
    lockDuration: spec.lockMs,
    stalledInterval: spec.stalledCheckMs,
    // A killed worker is no fault of its job. PostgreSQL takes it as a 32-bit integer.
    maxStalledCount: 2_000_000_000,
    runRetryDelay: 1_000,
  };
}

/** Waits for a BullMQ queue to be usable and makes it a sender. On failure or abort the queue is closed again. */
export async function openSender(
  job: string,
  spec: JobSpec,
  queue: BullQueue,
  signal: AbortSignal,
): Promise<JobSender> {
  queue.on('error', () => undefined); // of the connection, which all senders share and which tells for itself
  try {
    await unlessAborted(queue.waitUntilReady(), signal);
    await limitConcurrency(queue, spec);
  } catch (error) {
    await queue.close();
    throw error;
  }
  return {
    send: async (rings) => {
      const [first] = rings;
      if (first !== undefined && rings.length === 1) {
        await queue.add(job, first.payload, { jobId: first.id });
        return;
      }
      await queue.addBulk(rings.map((ring) => ({ name: job, data: ring.payload, opts: { jobId: ring.id } })));
    },
    counts: async () => {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
      return {
        waiting: counts['waiting'] ?? 0,
        active: counts['active'] ?? 0,
        delayed: counts['delayed'] ?? 0,
      };
    },
    close: () => queue.close(),
  };
}

/** Writes into the backend whether jobs of this queue run one at a time. */
export async function limitConcurrency(
  queue: Pick<BullQueue, 'setGlobalConcurrency' | 'removeGlobalConcurrency'>,
  spec: JobSpec,
): Promise<void> {
  await (spec.exclusive ? queue.setGlobalConcurrency(1) : queue.removeGlobalConcurrency());
}

/** Waits for a BullMQ worker's connections and lets it run. On failure or abort the worker is closed again. */
export async function openReceiver(
  worker: BullWorker,
  listener: ReceiverListener,
  signal: AbortSignal,
): Promise<JobReceiver> {
  worker.on('error', listener.error);
  worker.on('stalled', listener.stalled);
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const id of jobIds) listener.lockLost(id);
  });
  try {
    await unlessAborted(worker.waitUntilReady(), signal);
  } catch (error) {
    await worker.close();
    throw error;
  }
  worker.run().catch(listener.error);
  return { close: () => worker.close(), disconnect: () => worker.disconnect() };
}

/** A BullMQ processor that hands deliveries to the listener. */
export function processorOf(listener: ReceiverListener): (job: Job, token?: string) => Promise<void> {
  return (job, token) => listener.deliver(job, token ?? '');
}

/** Waits for `ready`, which BullMQ lets hang while the backend is away, but not beyond an abort. */
async function unlessAborted(ready: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const stopped = () => new QueueError('stopped', 'closed before the queue was ready');
  if (signal.aborted) throw stopped();
  const listening = new AbortController();
  const aborted = once(signal, 'abort', { signal: listening.signal }).then(() => {
    throw stopped();
  });
  try {
    await Promise.race([ready, aborted]);
  } finally {
    listening.abort();
  }
}
