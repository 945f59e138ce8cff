import { type ChannelKind, channelKinds } from '@plimsoll/model';
import type { Metrics } from '@plimsoll/process';

/** The metrics of a process's deliveries. */
export interface DeliveryMetrics {
  /** Counts an attempt. */
  attempt(kind: ChannelKind, outcome: 'accepted' | 'failed'): void;
  /** Counts a delivery that was given up. */
  givenUp(kind: ChannelKind): void;
}

/** Registers the metrics. */
export function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const attempts = metrics.counter(
    'plimsoll_notification_attempts_total',
    'Attempts to send notifications, by kind of channel and outcome.',
    ['kind', 'outcome'],
  );
  const givenUp = metrics.counter(
    'plimsoll_notifications_given_up_total',
    'Notifications that no attempt of a day could send, by kind of channel.',
    ['kind'],
  );
  // A rise from nothing is not seen as one.
  for (const kind of channelKinds) givenUp.inc({ kind }, 0);
  return {
    attempt: (kind, outcome) => attempts.inc({ kind, outcome }),
    givenUp: (kind) => givenUp.inc({ kind }),
  };
}
