import type { JobSender, Ring } from './backend.ts';
import { jobId } from './job-id.ts';
import type { JobSpec } from './job-spec.ts';
import type { Observe } from './queue-event.ts';
import { withinMs } from './within-ms.ts';

const longestQueue = 50_000;
const largestSend = 500;
const sendLimitMs = 5_000;

/** Rings for one job. */
export interface Ringer {
  /** Adds a ring and returns at once, without reporting a failure to the caller. */
  ring(payload: unknown): void;
  /** Resolves when no ring waits to be sent; takes at most one send limit per 500 rings. */
  settled(): Promise<void>;
}

/**
 * Sends rings in the background. Rings that arrive during a send form the next one, without duplicates. A ring that
 * cannot be sent now is dropped and reported; none waits for the backend.
 */
export function createRinger(options: {
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
