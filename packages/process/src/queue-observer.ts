import type { Observe } from '@plimsoll/queue';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Upper bounds of a job's duration, in seconds. */
const durationBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600] as const;

/** Logs and counts the events of the queue. Successful jobs are only counted. */
export function createQueueObserver(log: Logger, metrics: Metrics): Observe {
  const deliveries = metrics.counter(
    'plimsoll_job_deliveries_total',
    'Jobs delivered, by how they came out.',
    ['job', 'outcome'],
  );
  const durations = metrics.histogram(
    'plimsoll_job_duration_seconds',
    'How long jobs took.',
    ['job'],
    durationBuckets,
  );
  const lostRings = metrics.counter('plimsoll_lost_rings_total', 'Rings lost; the scheduler rings again.', [
    'job',
  ]);
  const errors = metrics.counter('plimsoll_queue_errors_total', 'Errors of the queue itself.', []);
  return (event) => {
    switch (event.kind) {
      case 'delivery_ended':
        deliveries.inc({ job: event.job, outcome: event.outcome });
        durations.observe({ job: event.job }, event.durationMs / 1_000);
        if (event.outcome !== 'done') {
          const { job, jobId, outcome, attempt, error } = event;
          log.warn({ job, jobId, outcome, attempt, err: error }, 'job did not end well');
        }
        return;
      case 'ring_lost':
        lostRings.inc({ job: event.job }, event.count);
        return;
      case 'job_stalled':
      case 'lock_lost':
        log.warn({ event: event.kind, job: event.job, jobId: event.jobId }, 'job lost its worker');
        return;
      case 'backend_error':
        errors.inc();
        log.warn({ job: event.job, err: event.error }, 'queue error');
        return;
      default:
        event satisfies never;
    }
  };
}
