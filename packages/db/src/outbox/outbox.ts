import type pg from 'pg';
import { type Database, isUuid } from '../core/database.ts';
import { hasCome } from '../core/has-come.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';

/** A row of the outbox for which no deliveries could be written. */
export interface FailedEvent {
  readonly id: string;
  readonly event: string;
  /** Of this start, from 1 on. */
  readonly starts: number;
  readonly error: unknown;
  /** Whether it is not tried again. */
  readonly isFinal: boolean;
}

/** A row whose collection was begun. */
export interface BegunRow {
  readonly id: string;
  readonly event: string;
  readonly starts: number;
}

/** A failed row as it is shown; times are null if it was given up, or was not. */
export interface ShownFailure {
  readonly id: string;
  readonly event: string;
  readonly at: Date;
  readonly starts: number;
  readonly error: string;
  readonly nextTryAt: Date | null;
  readonly failedAt: Date | null;
}

/** The rows of the outbox that could not be collected. */
export interface FailedEventStore {
  /** The newest, given up or waiting for another try. */
  list(limit: number): Promise<readonly ShownFailure[]>;
  /**
   * Has a failed row collected again from now on, alone and with all further tries. Null if no failed row has this id: also
   * if its messages were written meanwhile.
   */
  retry(id: string, by: AuditActor): Promise<ShownFailure | null>;
}

/** From this start on a row is collected alone: an earlier start may have ended the process. */
export const startsInCompany = 3;
/** A row is given up at this start: with the waits between starts, after about five hours. */
export const mostStarts = 10;
const longestWaitMinutes = 60;
const longestError = 1_000;

/** Notes a start of the oldest rows that are due, at most `most`, and returns them in their order. */
export async function beginRows(pool: pg.Pool, most: number): Promise<readonly BegunRow[]> {
  const { rows } = await pool.query<BegunRow & { readonly n: string }>(
    `UPDATE notification_events e SET starts = e.starts + 1
     FROM (SELECT id FROM notification_events
           WHERE taken_at IS NULL AND failed_at IS NULL AND (next_try_at IS NULL OR ${hasCome('next_try_at')})
           ORDER BY n LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE e.id = due.id RETURNING e.id, e.event, e.starts, e.n`,
    [most],
  );
  return rows.toSorted((a, b) => (BigInt(a.n) < BigInt(b.n) ? -1 : 1));
}

/** Keeps a row that cannot be collected: for another try after a wait, or for inspection only. */
export async function noteFailure(
  pool: pg.Pool,
  { id, event, starts }: BegunRow,
  error: unknown,
): Promise<FailedEvent> {
  const isFinal = starts >= mostStarts;
  const words = (error instanceof Error ? error.message : String(error)).replaceAll('\0', ' ');
  await pool.query(
    `UPDATE notification_events SET error = $2, failed_at = CASE WHEN $3 THEN now() END,
       next_try_at = CASE WHEN NOT $3 THEN now() + make_interval(mins => $4::int) END
     WHERE id = $1 AND taken_at IS NULL`,
    [
      id,
      // Through UTF-8, which has no halves of characters.
      Buffer.from(words.slice(0, longestError)).toString(),
      isFinal,
      Math.min(2 ** (starts - 1), longestWaitMinutes),
    ],
  );
  return { id, event, starts, error, isFinal };
}

/** The failed rows of one database. */
export function createFailedEventStore({ pool, prisma }: Database): FailedEventStore {
  const isFailed = { takenAt: null, error: { not: null } } as const;
  return {
    async list(limit) {
      const { rows } = await pool.query<ShownFailure>(
        `SELECT id, event, at, starts, error, next_try_at AS "nextTryAt", failed_at AS "failedAt"
         FROM notification_events WHERE taken_at IS NULL AND error IS NOT NULL ORDER BY n DESC LIMIT $1`,
        [limit],
      );
      return rows;
    },
    retry: async (id, by) =>
      isUuid(id)
        ? inTransaction(prisma, async (tx) => {
            const { count } = await tx.notificationEvent.updateMany({
              where: { id, ...isFailed },
              // It is begun alone, because it may have ended the process.
              data: { starts: startsInCompany, failedAt: null, nextTryAt: await databaseTime(tx) },
            });
            const row =
              count === 0 ? null : await tx.notificationEvent.findUnique({ where: { id }, select: shown });
            if (row === null) return null;
            await recordAuditEvent(tx, {
              action: 'failed_event.retried',
              actor: by,
              target: null,
              details: { event: row.event, id },
            });
            return { ...row, error: row.error ?? '' };
          })
        : null,
  };
}

const shown = {
  id: true,
  event: true,
  at: true,
  starts: true,
  error: true,
  nextTryAt: true,
  failedAt: true,
} as const;
