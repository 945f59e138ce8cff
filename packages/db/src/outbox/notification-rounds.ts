import type { DeliveryId } from '@plimsoll/model';
import type { Database } from '../core/database.ts';
import { hasCome } from '../core/has-come.ts';

/** What the scheduler asks about notifications. */
export interface NotificationRounds {
  /** Whether the outbox has events without deliveries. */
  hasEvents(): Promise<boolean>;
  /** Deliveries that are due, the oldest first; of one channel only a few, so that a slow one does not delay others. */
  due(limit: number): Promise<readonly DeliveryId[]>;
  /** Deletes deliveries that ended before a time, and events from before it that have their deliveries or were given up. */
  dropEnded(before: Date): Promise<void>;
}

/** SQL: whether the next attempt is to be made. A delay can be a week, and the digest after it, too. */
export const attemptHasCome = hasCome('next_attempt_at', '20 days');
/** SQL: whether the lease of an attempt is over. */
export const leaseIsOver = hasCome('leased_until');
const isRunning = `state = 'sending' AND NOT ${leaseIsOver}`;

/** Attempts of one channel at a time. */
const mostOfChannel = 4;

/** The notifications of one database. */
export function createNotificationRounds({ pool }: Database): NotificationRounds {
  return {
    async hasEvents() {
      const { rows } = await pool.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT FROM notification_events WHERE taken_at IS NULL AND failed_at IS NULL
           AND (next_try_at IS NULL OR ${hasCome('next_try_at')})) AS found`,
      );
      return rows[0]?.found === true;
    },
    async due(limit) {
      const { rows } = await pool.query<{ id: DeliveryId }>(
        `SELECT id FROM (
           SELECT id, next_attempt_at, state,
                  count(*) FILTER (WHERE ${isRunning}) OVER of_channel AS running,
                  row_number() OVER (of_channel ORDER BY ${isRunning}, next_attempt_at, id) AS place,
                  ${isRunning} AS is_running
           FROM notification_deliveries
           WHERE state = 'waiting' AND ${attemptHasCome} OR state = 'sending'
           WINDOW of_channel AS (PARTITION BY channel_id)) d
         WHERE NOT is_running AND place <= $1 - running ORDER BY next_attempt_at, id LIMIT $2`,
        [mostOfChannel, limit],
      );
      return rows.map(({ id }) => id);
    },
    async dropEnded(before) {
      await pool.query('DELETE FROM notification_deliveries WHERE ended_at < $1', [before]);
      await pool.query(
        'DELETE FROM notification_events WHERE (taken_at IS NOT NULL OR failed_at IS NOT NULL) AND at < $1',
        [before],
      );
    },
  };
}
