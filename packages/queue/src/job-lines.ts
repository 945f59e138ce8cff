import type { Backend, JobSender, QueueCounts } from './backend.ts';
import type { JobRegistry, JobSpec } from './job-spec.ts';
import { QueueError } from './queue-error.ts';
import type { Observe } from './queue-event.ts';
import { createRinger, type Ringer } from './ringer.ts';
import { untilReady } from './until-ready.ts';

/** The senders of all jobs. */
export interface JobLines {
  /** Settles when all senders are open or have been given up. */
  readonly opened: Promise<unknown>;
  /** Rings one job without waiting; see Ringer. */
  ring(job: string, payload: unknown): void;
  /** The number of jobs per queue. Waits until all senders are open. Rejects with `stopped` after close. */
  counts(): Promise<Readonly<Record<string, QueueCounts>>>;
  /** Sends waiting rings and closes the senders; gives up senders that are not open yet. */
  close(): Promise<void>;
}

/** The error for using a queue that the process has not opened. */
export function notUsed(job: string): QueueError {
  return new QueueError('not_used', `this app does not use the queue ${job} (app-queues.ts)`);
}

/** The sending side of one job: its ringer and, once the backend is available, its sender. */
interface JobLine {
  readonly ringer: Ringer;
  readonly opened: Promise<JobSender | null>;
  close(): Promise<void>;
}

/** Opens a sender for every job of the registry; each retries until it succeeds. */
export function openLines(registry: JobRegistry, backend: Backend, observe: Observe): JobLines {
  const stop = new AbortController();
  const lines = new Map(
    Object.entries(registry).map(([job, spec]) => [job, openLine(job, spec, backend, observe, stop.signal)]),
  );
  return {
    opened: Promise.all([...lines.values()].map((line) => line.opened)),
    ring: (job, payload) => {
      const line = lines.get(job);
      if (line !== undefined) line.ringer.ring(payload);
      else observe({ kind: 'ring_lost', job, count: 1, reason: 'refused', error: notUsed(job) });
    },
    counts: async () =>
      Object.fromEntries(
        await Promise.all(
          [...lines].map(async ([job, line]): Promise<[string, QueueCounts]> => [job, await countJobs(line)]),
        ),
      ),
    close: async () => {
      stop.abort();
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
}

function openLine(
  job: string,
  spec: JobSpec,
  backend: Backend,
  observe: Observe,
  stop: AbortSignal,
): JobLine {
  let sender: JobSender | null = null;
  const open = async (): Promise<JobSender | null> => {
    try {
      sender = await untilReady(
        (signal) => backend.openSender(job, spec, signal),
        stop,
        (error) => observe({ kind: 'backend_error', job, error }),
      );
      return sender;
    } catch {
      return null; // closed before it was open
    }
  };
  const opened = open();
  const ringer = createRinger({
    job,
    spec,
    sender: () => (backend.isReachable() ? sender : null),
    observe,
  });
  return {
    ringer,
    opened,
    close: async () => {
      await ringer.settled();
      const last = await opened;
      sender = null;
      await last?.close();
    },
  };
}

async function countJobs(line: JobLine): Promise<QueueCounts> {
  const sender = await line.opened;
  if (sender === null) throw new QueueError('stopped', 'the queue is closed');
  return sender.counts();
}
