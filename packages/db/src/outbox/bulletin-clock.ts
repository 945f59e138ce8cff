import type { DeliveryId } from '@plimsoll/model';
import { type Database, inPgTransaction, newId, type PgTransaction } from '../core/database.ts';
import { hasCome } from '../core/has-come.ts';
import type { BulletinSchedule } from './bulletins.ts';

/** Writes the deliveries of bulletins that are due. */
export interface BulletinClock {
  /**
   * Writes one delivery of each bulletin whose time has come, and sets the next time; once per minute is enough. A bulletin
   * that was due several times meanwhile is sent once. Returns the number of deliveries.
   */
  look(): Promise<number>;
}

type DueRow = BulletinSchedule & {
  readonly id: string;
  readonly name: string;
  readonly isDue: boolean;
  readonly now: Date;
  readonly channelId: string;
  readonly channelName: string;
  readonly isLimited: boolean;
  readonly tags: string[];
};

/** The clock of one database. @param nextOf the first time of a schedule after a time */
export function createBulletinClock(
  { pool }: Database,
  nextOf: (schedule: BulletinSchedule, after: Date) => Date,
): BulletinClock {
  return {
    look: () =>
      inPgTransaction(pool, async (tx) => {
        const { rows } = await tx.query<DueRow>(
          `SELECT b.id, b.name, b.every, b.weekday, b.day, b.at, b.time_zone AS "timeZone", coalesce(b.next_at <= now(), false) AS "isDue",
                  now() AS now, c.id AS "channelId", c.name AS "channelName", c.is_limited AS "isLimited", c.tags
           FROM notification_bulletins b JOIN notification_channels c ON c.id = b.channel_id
           WHERE b.paused_at IS NULL AND (b.next_at IS NULL OR ${hasCome('b.next_at', '40 days')})
           ORDER BY b.id FOR UPDATE OF b SKIP LOCKED`,
        );
        for (const row of rows) {
          if (row.isDue) await write(tx, row);
          await tx.query('UPDATE notification_bulletins SET next_at = $2 WHERE id = $1', [
            row.id,
            nextOf(row, row.now),
          ]);
        }
        return rows.filter(({ isDue }) => isDue).length;
      }),
  };
}

async function write(tx: PgTransaction, row: DueRow): Promise<void> {
  await tx.query(
    `INSERT INTO notification_deliveries (id, channel_id, bulletin_id, channel_name, channel_kind, route_name, is_limited,
       tags, event, state, items, due_at, next_attempt_at)
     VALUES ($1, $2, $3, $4, 'email', $5, $6, $7, 'bulletin', 'waiting', '{"events": [], "omitted": 0}', now(), now())`,
    [newId<DeliveryId>(), row.channelId, row.id, row.channelName, row.name, row.isLimited, row.tags],
  );
}
