import type { Backend, JobSender, QueueCounts } from './backend.ts';
import type { JobRegistry, JobSpec } from './job-spec.ts';
import { QueueError } from './queue-error.ts';
import type { Observe } from './queue-event.ts';
import { createRinger, type Ringer } from './ringer.ts';
import { untilReady } from './until-ready.ts';

/** The sending sides of all jobs. */
export interface JobLines {
  /** Settles when all lines stand or never will. */
  readonly opened: Promise<unknown>;
  /** Rings one job, now or never; see Ringer. */
  ring(job: string, payload: unknown): void;
  /** The jobs of each queue; waits until all lines stand. Rejects with `stopped` once closed. */
  counts(): Promise<Readonly<Record<string, QueueCounts>>>;
  /** Sends what waits and closes the senders; one that does not stand yet is given up. */
  close(): Promise<void>;
}

/** What a call for a queue rejects with that the process has not opened. */
export function notUsed(job: string): QueueError {
  return new QueueError('not_used', `this app does not use the queue ${job} (app-queues.ts)`);
}

/** The sending side of one job: its ringer and, as soon as the backend lets it, its sender. */
interface JobLine {
  readonly ringer: Ringer;
  readonly opened: Promise<JobSender | null>;
  close(): Promise<void>;
}

/** Opens a line for every job of the registry; each goes on trying until it stands. */
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
      return null; // closed before it stood
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
