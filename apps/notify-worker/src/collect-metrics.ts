import type { Metrics } from '@plimsoll/process';

/** The metrics of a process's collecting. */
export interface CollectMetrics {
  /** Counts a row of the outbox that failed. */
  failed(isFinal: boolean): void;
}

/** Registers the metrics. */
export function createCollectMetrics(metrics: Metrics): CollectMetrics {
  const failed = metrics.counter(
    'plimsoll_notification_events_failed_total',
    'Events for which no messages could be written, by whether they are tried again or given up.',
    ['outcome'],
  );
  failed.inc({ outcome: 'given_up' }, 0);
  return { failed: (isFinal) => failed.inc({ outcome: isFinal ? 'given_up' : 'tried_again' }) };
}
