import type { Job, JobsOptions, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import pTimeout from 'p-timeout';
import type { JobReceiver, JobSender, ReceiverListener } from './backend.ts';
import type { JobSpec } from './jobs.ts';
import { QueueError } from './queue-error.ts';

/** The part of a BullMQ queue in use, the same for every backend. */
export type BullQueue = Pick<
  Queue,
  | 'addBulk'
  | 'add'
  | 'getJobCounts'
  | 'promoteJobs'
  | 'setGlobalConcurrency'
  | 'removeGlobalConcurrency'
  | 'close'
> & { waitUntilReady(): Promise<unknown>; on(event: 'error', listener: (error: Error) => void): unknown };

/** The part of a BullMQ worker in use, the same for every backend. */
type BullWorker = Pick<Worker, 'run' | 'close' | 'disconnect'> & {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown;
};

/** The BullMQ queue options that are the same for every backend. */
export function queueOptions(spec: JobSpec): Omit<QueueOptions, 'connection'> {
  const job: JobsOptions = {
    attempts: spec.attempts,
    backoff: { type: 'exponential', delay: spec.firstBackoffMs, jitter: 0.5 },
    // A kept job would suppress every later ring with its id.
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
  // BullMQ's own event log is not used. On PostgreSQL, 0 would keep all events.
  return { defaultJobOptions: job, streams: { events: { maxLen: 256 } } };
}

/** The BullMQ worker options that are the same for every backend. */
export function workerOptions(spec: JobSpec, concurrency: number): Omit<WorkerOptions, 'connection'> {
  return {
    autorun: false,
    concurrency,
    lockDuration: spec.lockMs,
    stalledInterval: spec.stalledCheckMs,
    // A killed worker does not count against its job. PostgreSQL stores this value as a 32-bit integer.
    maxStalledCount: 2_000_000_000,
    runRetryDelay: 1_000,
  };
}

/** Waits until a BullMQ queue is usable and makes it a sender. Closes the queue on failure or abort. */
export async function openSender(
  job: string,
  spec: JobSpec,
  queue: BullQueue,
  signal: AbortSignal,
): Promise<JobSender> {
  queue.on('error', () => undefined); // of the connection that all senders share; the backend reports it
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
    // BullMQ stores when a retry is due by the clock of its worker.
    freeHeld: () => queue.promoteJobs(),
    close: () => queue.close(),
  };
}

/** Stores in the backend whether jobs of this queue run one at a time. */
export async function limitConcurrency(
  queue: Pick<BullQueue, 'setGlobalConcurrency' | 'removeGlobalConcurrency'>,
  spec: JobSpec,
): Promise<void> {
  await (spec.exclusive ? queue.setGlobalConcurrency(1) : queue.removeGlobalConcurrency());
}

/** Waits for a BullMQ worker's connections and starts it. Closes the worker on failure or abort. */
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

/** A BullMQ processor that passes deliveries to the listener. */
export function processorOf(listener: ReceiverListener): (job: Job, token?: string) => Promise<void> {
  return (job, token) => listener.deliver(job, token ?? '');
}

/**
 * Waits for `ready`, which stays pending while the backend is unavailable. Rejects with `stopped` on abort.
 */
async function unlessAborted(ready: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await pTimeout(ready, { milliseconds: Number.POSITIVE_INFINITY, signal });
  } catch (error) {
    throw signal.aborted ? new QueueError('stopped', 'closed before the queue was ready') : error;
  }
}
