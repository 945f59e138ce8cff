import type { ChannelKind, DeliveryId, DeliveryKind } from '@plimsoll/model';
import { type Database, inPgTransaction, isUuid, newId, type PgTransaction } from '../core/database.ts';
import { judgeDue } from '../fleet/hosts/judge-due.ts';
import { type DeliveryItems, parseItems } from './delivery-items.ts';
import { attemptHasCome, leaseIsOver } from './notification-rounds.ts';
import { stillTrue } from './still-true.ts';

/** An attempt that a worker holds. */
export interface DeliveryRun {
  readonly id: DeliveryId;
  readonly runId: string;
  /** Of this attempt, from 1 on. */
  readonly attempt: number;
}

/** A delivery with its channel, as an attempt needs them. */
export interface DeliveryToSend extends DeliveryRun {
  readonly kind: DeliveryKind;
  /** Of a report by mail; null for all others. */
  readonly bulletinId: string | null;
  readonly channelId: string;
  readonly channelName: string;
  readonly channelKind: ChannelKind;
  readonly routeName: string;
  readonly addresses: readonly string[];
  /** Those of the addresses to which only requests to confirm them go. */
  readonly unconfirmed: readonly string[];
  readonly sealedUrl: Buffer | null;
  readonly sealedSecret: Buffer | null;
  /** Null also after its time. */
  readonly sealedPrevious: Buffer | null;
  /** What is still true, at the first attempt; later what it was then. */
  readonly items: DeliveryItems;
  /** What every attempt sends; null before `keepContent`. */
  readonly content: unknown;
  readonly createdAt: Date;
  readonly dueAt: Date;
}

/** The end of an attempt. */
export interface AttemptEnd {
  /** Of HTTP or SMTP; null without an answer. */
  readonly outcome: 'accepted' | 'failed';
  readonly status: number | null;
  /** Why it failed, and what to do, as a sentence; of an accepted one what was refused besides; null: nothing. */
  readonly error: string | null;
  /** After a failure: seconds until the next attempt; null: given up. */
  readonly retrySeconds: number | null;
}

/** Deliveries for the notify-worker. One attempt of a delivery runs at a time: it holds a lease. */
export interface DeliveryRunStore {
  /** Publishes the public key to which the API seals secrets, as raw bytes. */
  publishKey(keyId: string, bytes: Uint8Array): Promise<void>;
  /**
   * Begins an attempt that is due. Null if none is, if another worker holds it, or if the delivery was cancelled because
   * nothing of it is true any more or its channel is paused or gone.
   */
  begin(id: string, leaseSeconds: number): Promise<DeliveryToSend | null>;
  /** Stores what every attempt sends. False if the run lost the delivery. */
  keepContent(run: DeliveryRun, content: object): Promise<boolean>;
  /** Ends a delivery that is not to be sent, for a reason. */
  cancel(run: DeliveryRun, reason: string): Promise<void>;
  /** Whether the run still holds the delivery, with at least these seconds left. */
  holds(run: DeliveryRun, seconds: number): Promise<boolean>;
  /** Ends an attempt. An accepted delivery is delivered whichever run holds it now. */
  end(run: DeliveryRun, result: AttemptEnd): Promise<void>;
  /**
   * Notes that `begin` threw, as a failed attempt of a delivery that is due and that nobody holds. Returns its kind of
   * channel and whether it was given up; null if there was no such delivery.
   * @param retrySecondsOf the seconds until the next attempt; null: it is given up
   */
  noteUnbegun(
    id: string,
    error: string,
    retrySecondsOf: (delivery: { readonly attempt: number; readonly dueAt: Date }) => number | null,
  ): Promise<{ readonly channelKind: ChannelKind; readonly isGivenUp: boolean } | null>;
}

/** The deliveries of one database. */
export function createDeliveryRunStore({ pool, prisma }: Database): DeliveryRunStore {
  return {
    async publishKey(keyId, bytes) {
      const publicKey = Buffer.from(bytes).toString('base64');
      await prisma.notificationKey.createMany({ data: { keyId, publicKey }, skipDuplicates: true });
    },
    async begin(id, leaseSeconds) {
      if (!isUuid(id)) return null;
      await judgeDue({ pool });
      return inPgTransaction(pool, (tx) => begin(tx, id, leaseSeconds));
    },
    async keepContent({ id, runId }, content) {
      const { count } = await prisma.notificationDelivery.updateMany({
        where: { id, runId, state: 'sending' },
        data: { content },
      });
      return count === 1;
    },
    async cancel({ id, runId }, reason) {
      await pool.query(
        `UPDATE notification_deliveries SET state = 'cancelled', ended_at = now(), end_reason = $3, run_id = NULL,
                leased_until = NULL WHERE id = $1 AND run_id = $2 AND state = 'sending'`,
        [id, runId, reason],
      );
    },
    async holds({ id, runId }, seconds) {
      const { rowCount } = await pool.query(
        `SELECT FROM notification_deliveries WHERE id = $1 AND run_id = $2 AND state = 'sending'
           AND leased_until > now() + make_interval(secs => $3)`,
        [id, runId, seconds],
      );
      return rowCount === 1;
    },
    end: (run, result) => inPgTransaction(pool, (tx) => end(tx, run, result)),
    noteUnbegun: async (id, error, retrySecondsOf) =>
      isUuid(id) ? inPgTransaction(pool, (tx) => noteUnbegun(tx, id, error, retrySecondsOf)) : null,
  };
}

type Row = Omit<DeliveryToSend, 'runId' | 'items' | 'channelId'> & {
  readonly channelId: string | null;
  readonly items: unknown;
  readonly paused: boolean;
};

async function begin(tx: PgTransaction, id: string, leaseSeconds: number): Promise<DeliveryToSend | null> {
  const runId = newId<string>();
  const { rows } = await tx.query<Row>(
    `UPDATE notification_deliveries d SET state = 'sending', run_id = $2, attempts = d.attempts + 1,
            leased_until = now() + make_interval(secs => $3), due_at = least(d.due_at, now())
     FROM (SELECT id AS own_id, channel_id AS own_channel FROM notification_deliveries) own LEFT JOIN notification_channels c ON c.id = own.own_channel
     WHERE d.id = $1 AND own.own_id = d.id AND (
       d.state = 'waiting' AND ${attemptHasCome} OR d.state = 'sending' AND ${leaseIsOver})
     RETURNING d.id, d.attempts AS attempt, d.event AS kind, d.bulletin_id AS "bulletinId", d.channel_id AS "channelId", d.channel_name AS "channelName",
       d.channel_kind AS "channelKind", d.route_name AS "routeName", coalesce(c.addresses, '{}') AS addresses,
       coalesce(c.unconfirmed, '{}') AS unconfirmed,
       c.sealed_url AS "sealedUrl", c.sealed_secret AS "sealedSecret",
       CASE WHEN c.previous_until > now() THEN c.sealed_previous END AS "sealedPrevious", d.items, d.content,
       d.created_at AS "createdAt", d.due_at AS "dueAt", c.paused_at IS NOT NULL AND d.event NOT IN ('test', 'confirmation') AS paused`,
    [id, runId, leaseSeconds],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { paused, channelId, ...delivery } = row;
  if (channelId === null || paused) {
    await cancel(tx, id, channelId === null ? 'Its channel was deleted.' : 'Its channel is paused.');
    return null;
  }
  const stored = parseItems(row.items);
  const isAboutEvents = !['test', 'bulletin', 'confirmation'].includes(row.kind);
  const items = row.content === null && isAboutEvents ? await stillTrue(tx, stored) : stored;
  if (isAboutEvents && items.events.length === 0) {
    await cancel(tx, id, 'What it is about was over before it was due.');
    return null;
  }
  await tx.query(
    'INSERT INTO notification_attempts (delivery_id, n) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, row.attempt],
  );
  if (row.content === null)
    await tx.query('UPDATE notification_deliveries SET items = $2 WHERE id = $1', [
      id,
      JSON.stringify(items),
    ]);
  return { ...delivery, channelId, runId, items };
}

async function noteUnbegun(
  tx: PgTransaction,
  id: string,
  error: string,
  retrySecondsOf: (delivery: { readonly attempt: number; readonly dueAt: Date }) => number | null,
): Promise<{ readonly channelKind: ChannelKind; readonly isGivenUp: boolean } | null> {
  const { rows } = await tx.query<{ attempt: number; dueAt: Date; channelKind: ChannelKind }>(
    `SELECT attempts + 1 AS attempt, due_at AS "dueAt", channel_kind AS "channelKind" FROM notification_deliveries
     WHERE id = $1 AND (state = 'waiting' AND ${attemptHasCome} OR state = 'sending' AND ${leaseIsOver})
     FOR UPDATE`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const seconds = retrySecondsOf(row);
  await tx.query(
    `INSERT INTO notification_attempts (delivery_id, n, ended_at, outcome, error) VALUES ($1, $2, now(), 'failed', $3)
     ON CONFLICT DO NOTHING`,
    [id, row.attempt, error],
  );
  await tx.query(
    `UPDATE notification_deliveries SET state = CASE WHEN $2::float8 IS NULL THEN 'failed' ELSE 'waiting' END,
            attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => coalesce($2, 0)), run_id = NULL,
            leased_until = NULL, ended_at = CASE WHEN $2 IS NULL THEN now() END,
            end_reason = CASE WHEN $2 IS NULL THEN $3 END WHERE id = $1`,
    [id, seconds, error],
  );
  return { channelKind: row.channelKind, isGivenUp: seconds === null };
}

async function cancel(tx: PgTransaction, id: string, reason: string): Promise<void> {
  await tx.query(
    `UPDATE notification_deliveries SET state = 'cancelled', ended_at = now(), end_reason = $2, run_id = NULL,
            leased_until = NULL, attempts = attempts - 1 WHERE id = $1`,
    [id, reason],
  );
}

async function end(
  tx: PgTransaction,
  { id, runId, attempt }: DeliveryRun,
  { outcome, status, error, retrySeconds }: AttemptEnd,
): Promise<void> {
  await tx.query(
    `UPDATE notification_attempts SET ended_at = now(), outcome = $3, status = $4, error = $5
     WHERE delivery_id = $1 AND n = $2`,
    [id, attempt, outcome, status, error],
  );
  if (outcome === 'accepted') {
    await tx.query(
      `UPDATE notification_deliveries SET state = 'delivered', ended_at = now(), run_id = NULL, leased_until = NULL
       WHERE id = $1 AND state <> 'delivered'`,
      [id],
    );
    // The next report is compared with this one.
    await tx.query(
      `UPDATE notification_bulletins b SET last_at = now(), base = d.content #> '{bulletin,base}'
       FROM notification_deliveries d WHERE d.id = $1 AND b.id = d.bulletin_id AND d.content IS NOT NULL`,
      [id],
    );
    // It has a table of megabytes, and is never sent again.
    await tx.query(
      `UPDATE notification_deliveries SET content = NULL WHERE id = $1 AND event = 'bulletin' AND content IS NOT NULL`,
      [id],
    );
    return;
  }
  await tx.query(
    `UPDATE notification_deliveries SET state = CASE WHEN $3::float8 IS NULL THEN 'failed' ELSE 'waiting' END,
            next_attempt_at = now() + make_interval(secs => coalesce($3, 0)), run_id = NULL, leased_until = NULL,
            ended_at = CASE WHEN $3 IS NULL THEN now() END, end_reason = CASE WHEN $3 IS NULL THEN $4 END
     WHERE id = $1 AND run_id = $2 AND state = 'sending'`,
    [id, runId, retrySeconds, error],
  );
}
