import type { Job } from 'bullmq';
import type { JobSpec } from './job-spec.ts';

/** One ring on its way: the job id it is deduplicated by, and its payload. */
export interface Ring {
  readonly id: string;
  readonly payload: unknown;
}

/** How many jobs of a queue there are. `delayed` ones wait for their next attempt. Failed ones are not kept. */
export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** The sending side of one job's queue. */
export interface JobSender {
  /** Adds the rings, in order; one whose id is there already is dropped by the backend. Rejects if it refuses. */
  send(rings: readonly Ring[]): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/** The receiving side of one job's queue. */
export interface JobReceiver {
  /** Takes no more jobs, waits for those in hand, closes its connections. */
  close(): Promise<void>;
  /** Drops the connections as they are. */
  disconnect(): Promise<void>;
}

/** What a receiver tells while it runs. `deliver` settles as BullMQ's processor does. */
export interface ReceiverListener {
  deliver(job: Job, token: string): Promise<void>;
  stalled(jobId: string): void;
  lockLost(jobId: string): void;
  error(error: unknown): void;
}

/**
 * What both BullMQ backends can do for us. Opened things work at once. An open may take as long as the backend is away;
 * one that fails or is aborted leaves nothing behind.
 */
export interface Backend {
  /** False while it is known that nothing would arrive. */
  isReachable(): boolean;
  /** Resolves when the backend answers; may take as long as it likes. */
  ping(): Promise<void>;
  openSender(job: string, spec: JobSpec, signal: AbortSignal): Promise<JobSender>;
  openReceiver(
    job: string,
    spec: JobSpec,
    concurrency: number,
    listener: ReceiverListener,
    signal: AbortSignal,
  ): Promise<JobReceiver>;
  /** Closes what senders share. Senders and receivers are closed before. */
  close(): Promise<void>;
}
