import type { Backend, QueueCounts, QueueMemory } from './backend.ts';
import { type Consumer, openConsumer } from './consumer.ts';
import type { JobHandler } from './delivery.ts';
import { notUsed, openLines } from './job-lines.ts';
import type { JobName, JobRegistry, JobSpec, PayloadOf } from './jobs.ts';
import { createPostgresBackend } from './postgres-backend.ts';
import { QueueError, withinMs } from './queue-error.ts';
import type { Observe } from './queue-event.ts';
import { createRedisBackend } from './redis-backend.ts';

/** Milliseconds that `openQueue` waits for the backend before the app starts without it. */
const startLimitMs = 5_000;
const closeLimitMs = 2_000;

/**
 * The location of the queue. `prefix` begins every Redis key: `{plimsoll}`, in braces because Redis Cluster requires
 * them.
 */
export type QueueBackend =
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The sending side of a queue. Neither method waits or throws. */
export interface Bell<R extends JobRegistry> {
  /**
   * Rings for a job. No effect while a job with the same dedup key waits or runs. A ring can be lost; see QueueEvent.
   */
  ring<Name extends JobName<R>>(job: Name, payload: PayloadOf<R, Name>): void;
  /** Rings for several jobs, in order and with few round trips. */
  ringAll<Name extends JobName<R>>(job: Name, payloads: readonly PayloadOf<R, Name>[]): void;
}

/** The queue of one process. */
export interface JobQueue<R extends JobRegistry> extends Bell<R> {
  /** Starts taking jobs, up to `concurrency` at a time in this process. */
  consume<Name extends JobName<R>>(
    job: Name,
    handler: JobHandler<PayloadOf<R, Name>>,
    options: { readonly concurrency: number },
  ): Consumer;
  /** Resolves if the backend accepts writes within `limitMs`; otherwise rejects with `unreachable` or the backend's error. */
  ping(limitMs: number): Promise<void>;
  /**
   * The number of jobs per queue, by name. Rejects with `unreachable` after `limitMs`, and with `not_used` if this
   * process does not use all queues.
   */
  counts(limitMs: number): Promise<Readonly<Record<JobName<R>, QueueCounts>>>;
  /**
   * Frees jobs of this process's queues that a clock that was ahead holds: retries begin at once, locks of dead workers end. To
   * be repeated, less often than the longest backoff. Rejects as `ping` does.
   */
  freeHeld(limitMs: number): Promise<void>;
  /** The memory of Redis; null: the queue is in PostgreSQL. Rejects as `ping` does. */
  memory(limitMs: number): Promise<QueueMemory | null>;
  /**
   * Closes the consumers as Consumer.close does, sends waiting rings, then closes all connections. Later rings are
   * lost.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Opens the queue of a registry's jobs. Returns after five seconds even if the backend is unavailable; until it is
 * available, rings are lost and consumers wait. `observe` gets every event that no return value or rejection reports.
 * Opens only the queues in `uses` (default: all); rings for other queues are lost.
 */
export async function openQueue<const R extends JobRegistry>(
  registry: R,
  options: {
    readonly backend: QueueBackend;
    readonly uses?: readonly JobName<R>[];
    readonly observe: Observe;
  },
): Promise<JobQueue<R>> {
  let closed: Promise<void> | undefined;
  let over = false;
  const observe: Observe = (event) => {
    // Connections can report errors while they close.
    if (!over || event.kind !== 'backend_error') options.observe(event);
  };
  const onError = (error: unknown) => observe({ kind: 'backend_error', job: null, error });
  const backend = createBackend(options.backend, onError);
  const used = usedJobs(registry, options.uses);
  const [firstJob = ''] = Object.keys(used);
  const lines = openLines(used, backend, observe);
  const consumers: Consumer[] = [];
  const close = async (closing?: { readonly graceMs?: number }): Promise<void> => {
    await Promise.all(consumers.map((consumer) => consumer.close(closing)));
    await withinMs(lines.close(), closeLimitMs, 'closing').catch(onError);
    await withinMs(backend.close(), closeLimitMs, 'closing').catch(onError);
    over = true;
  };
  await withinMs(lines.opened, startLimitMs, 'starting').catch((error: unknown) => {
    // The backend's errors are reported through `observe`, and the senders keep retrying.
    if (!(error instanceof QueueError && error.code === 'unreachable')) throw error;
  });
  return {
    ring: lines.ring,
    ringAll: (job, payloads) => {
      for (const payload of payloads) lines.ring(job, payload);
    },
    consume: (job, handler, { concurrency }) => {
      // The registry entry has the same name as the handler's payload type, so they match.
      const spec = registry[job] as JobSpec<PayloadOf<R, typeof job>>;
      const consumer = openConsumer({ job, spec, backend, handler, concurrency, observe });
      consumers.push(consumer);
      return consumer;
    },
    ping: (limitMs) => withinMs(backend.ping(firstJob), limitMs, 'ping'),
    memory: (limitMs) => withinMs(backend.memory(), limitMs, 'reading its memory'),
    counts: async (limitMs) => {
      const counts = await withinMs(
        lines.ask((sender) => sender.counts()),
        limitMs,
        'counting jobs',
      );
      const missing = Object.keys(registry).find((job) => !(job in counts));
      if (missing !== undefined) throw notUsed(missing);
      return counts as Record<JobName<R>, QueueCounts>; // checked above: every name of the registry has a sender
    },
    freeHeld: async (limitMs) => {
      await withinMs(
        lines.ask((sender) => sender.freeHeld()),
        limitMs,
        'freeing jobs',
      );
    },
    close: (closing) => {
      closed ??= close(closing);
      return closed;
    },
  };
}

function usedJobs<R extends JobRegistry>(registry: R, uses: readonly JobName<R>[] | undefined): JobRegistry {
  if (uses === undefined) return registry;
  return Object.fromEntries(Object.entries(registry).filter(([job]) => uses.some((used) => used === job)));
}

function createBackend(where: QueueBackend, onError: (error: unknown) => void): Backend {
  switch (where.kind) {
    case 'redis':
      return createRedisBackend({ ...where, onError });
    case 'postgres':
      return createPostgresBackend({ ...where, onError });
    default:
      return where satisfies never;
  }
}
