import { startedPer } from '@plimsoll/testing';
import { type JobQueue, openQueue, type QueueBackend, type QueueEvent } from '../src/index.ts';
import { testJobs } from './test-jobs.ts';
import { until } from './until.ts';

/** A queue under test that records its events. */
export interface TestQueue extends JobQueue<typeof testJobs> {
  readonly where: QueueBackend;
  readonly events: readonly QueueEvent[];
  /** The outcomes of a job's deliveries until now, in order. */
  outcomes(jobId: string): readonly string[];
  /** Waits for the end of a job's first delivery. */
  ended(jobId: string): Promise<void>;
}

/** Opens a queue of the test registry. */
export async function openTestQueue(where: QueueBackend): Promise<TestQueue> {
  const events: QueueEvent[] = [];
  const queue = await openQueue(testJobs, { backend: where, observe: (event) => events.push(event) });
  const outcomes = (jobId: string) =>
    events.flatMap((event) =>
      event.kind === 'delivery_ended' && event.jobId === jobId ? [event.outcome] : [],
    );
  return {
    ...queue,
    where,
    events,
    outcomes,
    ended: (jobId) => until(() => outcomes(jobId).length > 0, `the end of ${jobId}`),
  };
}

/** A queue of the test registry on a new backend for each test. */
export function queuePerTest(fresh: () => Promise<QueueBackend>): TestQueue {
  return startedPer(
    'test',
    async () => openTestQueue(await fresh()),
    (queue) => queue.close(),
  );
}

/** Whether no job waits, runs, or waits for its next attempt. */
export async function isEmpty(queue: TestQueue): Promise<boolean> {
  const counts = Object.values(await queue.counts(5_000));
  return counts.every(({ waiting, active, delayed }) => waiting + active + delayed === 0);
}

/** A handler that records its runs and ends each on demand. */
export class HeldRuns {
  readonly started: string[] = [];
  readonly #release = new Map<string, () => void>();
  readonly handler = async (payload: { readonly id: string }): Promise<void> => {
    this.started.push(payload.id);
    await new Promise<void>((resolve) => {
      this.#release.set(payload.id, resolve);
    });
  };

  release(id: string): void {
    this.#release.get(id)?.();
  }
}
