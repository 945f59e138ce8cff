import type { Job } from 'bullmq';
import type { JobSpec } from './jobs.ts';

/** A ring to send: the job id that deduplicates it, and its payload. */
export interface Ring {
  readonly id: string;
  readonly payload: unknown;
}

/** The number of jobs of a queue. `delayed` ones wait for their next attempt. Failed jobs are not kept. */
export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** The memory of a Redis, in bytes. */
export interface QueueMemory {
  readonly used: number;
  /** `maxmemory`; 0: no limit but the machine's. */
  readonly limit: number;
}

/** The sending side of one job's queue. */
export interface JobSender {
  /** Adds rings in order; the backend drops a ring whose id exists. Rejects if the backend refuses. */
  send(rings: readonly Ring[]): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** See JobQueue. */
  freeHeld(): Promise<void>;
  close(): Promise<void>;
}

/** The receiving side of one job's queue. */
export interface JobReceiver {
  /** Takes no more jobs, waits for running ones, then closes the connections. */
  close(): Promise<void>;
  /** Closes the connections without waiting. */
  disconnect(): Promise<void>;
}

/** Callbacks of a running receiver. `deliver` settles like BullMQ's processor. */
export interface ReceiverListener {
  deliver(job: Job, token: string): Promise<void>;
  stalled(jobId: string): void;
  lockLost(jobId: string): void;
  error(error: unknown): void;
}

/**
 * The interface of both BullMQ backends. What an open method returns is ready for use. Opening may take as long as the
 * backend is unavailable; if it fails or is aborted, it leaves nothing open.
 */
export interface Backend {
  /** False while the backend is known to be unreachable. */
  isReachable(): boolean;
  /** Resolves if the backend would accept a write to the queue of `job`; has no time limit. */
  ping(job: string): Promise<void>;
  /** The memory it uses; null: it is not one that keeps its data in memory. */
  memory(): Promise<QueueMemory | null>;
  openSender(job: string, spec: JobSpec, signal: AbortSignal): Promise<JobSender>;
  openReceiver(
    job: string,
    spec: JobSpec,
    concurrency: number,
    listener: ReceiverListener,
    signal: AbortSignal,
  ): Promise<JobReceiver>;
  /** Closes what senders share. Close senders and receivers first. */
  close(): Promise<void>;
}
