import { setMaxListeners } from 'node:events';
import { QueueKeys } from 'bullmq';
import type { Backend, JobSender, Ring } from './backend.ts';
import type { JobRegistry, JobSpec } from './jobs.ts';
import { QueueError, withinMs } from './queue-error.ts';
import type { Observe } from './queue-event.ts';
import { untilReady } from './until-ready.ts';

const longestQueue = 50_000;
const largestSend = 500;
const sendLimitMs = 5_000;

/** The senders of all jobs. */
interface JobLines {
  /** Settles when all senders are open or have been given up. */
  readonly opened: Promise<unknown>;
  /** Rings one job without waiting; see Ringer. */
  ring(job: string, payload: unknown): void;
  /** The answer of each sender, by job. Waits until all are open. Rejects with `stopped` after close. */
  ask<Answer>(question: (sender: JobSender) => Promise<Answer>): Promise<Readonly<Record<string, Answer>>>;
  /** Sends waiting rings and closes the senders; gives up senders that are not open yet. */
  close(): Promise<void>;
}

/** The error for using a queue that the process has not opened. */
export function notUsed(job: string): QueueError {
  return new QueueError('not_used', `this app does not use the queue ${job} (appQueues)`);
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
  // Each line waits for the backend with one listener.
  setMaxListeners(Object.keys(registry).length, stop.signal);
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
    ask: async (question) => {
      const answers = [...lines].map(async ([job, line]) => {
        const sender = await line.opened;
        if (sender === null) throw new QueueError('stopped', 'the queue is closed');
        return [job, await question(sender)] as const;
      });
      return Object.fromEntries(await Promise.all(answers));
    },
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
    sender = await untilReady(
      (signal) => backend.openSender(job, spec, signal),
      stop,
      (error) => observe({ kind: 'backend_error', job, error }),
    );
    return sender;
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

/** Rings for one job. */
interface Ringer {
  /** Adds a ring and returns at once, without reporting a failure to the caller. */
  ring(payload: unknown): void;
  /** Resolves when no ring waits to be sent; takes at most one send limit per 500 rings. */
  settled(): Promise<void>;
}

/**
 * Sends rings in the background. Rings that arrive during a send form the next one, without duplicates. A ring that
 * cannot be sent now is dropped and reported; none waits for the backend.
 */
function createRinger(options: {
  readonly job: string;
  readonly spec: JobSpec;
  readonly sender: () => JobSender | null;
  readonly observe: Observe;
}): Ringer {
  const { job, spec, observe } = options;
  const waiting = new Map<string, Ring>();
  let sending: Promise<void> | null = null;

  const send = async (rings: readonly Ring[]): Promise<void> => {
    const sender = options.sender();
    if (sender === null) {
      observe({ kind: 'ring_lost', job, count: rings.length, reason: 'away', error: null });
      return;
    }
    try {
      await withinMs(sender.send(rings), sendLimitMs, 'sending rings');
    } catch (error) {
      observe({ kind: 'ring_lost', job, count: rings.length, reason: 'refused', error });
    }
  };

  const sendAll = async (): Promise<void> => {
    await null; // the caller continues first, so that its further rings join this send
    while (waiting.size > 0) {
      const rings = [...waiting.values()].slice(0, largestSend);
      for (const ring of rings) waiting.delete(ring.id);
      await send(rings);
    }
    sending = null;
  };

  return {
    ring: (payload) => {
      try {
        const id = jobId(spec.dedupKey(payload));
        if (waiting.size >= longestQueue && !waiting.has(id)) {
          observe({ kind: 'ring_lost', job, count: 1, reason: 'overflow', error: null });
          return;
        }
        waiting.set(id, { id, payload });
        sending ??= sendAll();
      } catch (error) {
        observe({ kind: 'ring_lost', job, count: 1, reason: 'refused', error });
      }
    },
    settled: async () => {
      await sending;
    },
  };
}

/** The last parts of the keys of a queue: a job with such an id would have the key of, for instance, the stream of events. */
let ownKeys: ReadonlySet<string> | null = null;

/**
 * The BullMQ job id for a dedup key. Distinct keys have distinct ids, and every id is valid: no colon, not an integer,
 * not empty (Job.validateOptions of BullMQ, which would replace an empty id by a counter), and none that a queue has
 * a key of its own for. Throws URIError on text that is not valid Unicode.
 */
export function jobId(dedupKey: string): string {
  const encoded = encodeURIComponent(dedupKey);
  ownKeys ??= new Set(Object.keys(new QueueKeys().getKeys('')));
  // In encoded text, hex digits follow every "%", so this prefix cannot collide with another key's id.
  return /^-?\d*$/.test(encoded) || ownKeys.has(encoded) ? `%_${encoded}` : encoded;
}
