import { type PullErrorCode, pullErrorCodes } from '@plimsoll/model';
import type { Metrics } from '@plimsoll/process';

/** The metrics of a process's pulls. */
export interface PullMetrics {
  /** Runs a visit; `outcomeOf` returns its outcome. A visit that is interrupted is `put_back`. */
  visit<T>(work: () => Promise<T>, outcomeOf: (result: T) => PullErrorCode | 'collected'): Promise<T>;
}

/** Upper bounds of a visit's duration, in seconds. */
const durationBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 3600] as const;

/** Registers the metrics. */
export function createPullMetrics(metrics: Metrics): PullMetrics {
  const running = metrics.gauge('plimsoll_ssh_sessions', 'Visits to hosts under way.', []);
  const visits = metrics.counter('plimsoll_ssh_visits_total', 'Visits to hosts, by how they came out.', [
    'outcome',
  ]);
  // A rise from nothing is not seen as one.
  for (const outcome of [...pullErrorCodes, 'collected']) visits.inc({ outcome }, 0);
  const durations = metrics.histogram(
    'plimsoll_ssh_visit_duration_seconds',
    'How long visits to hosts took.',
    ['outcome'],
    durationBuckets,
  );
  return {
    async visit(work, outcomeOf) {
      const startedAt = performance.now();
      let outcome: PullErrorCode | 'collected' | 'put_back' = 'put_back';
      running.inc();
      try {
        const result = await work();
        outcome = outcomeOf(result);
        return result;
      } finally {
        running.dec();
        visits.inc({ outcome });
        durations.observe({ outcome }, (performance.now() - startedAt) / 1_000);
      }
    },
  };
}
