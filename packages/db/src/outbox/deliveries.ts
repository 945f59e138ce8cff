import type { ChannelKind, DeliveryId, DeliveryKind, DeliveryState, HostScope } from '@plimsoll/model';
import { type Database, isUuid, newId } from '../core/database.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';
import { scopeRow } from '../people/change-user.ts';
import type { Channel } from './channels.ts';
import { type DeliveryItems, parseItems } from './delivery-items.ts';
import { ownChannelBySql, ownTags } from './notification-scope.ts';

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  readonly n: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Null: it runs, or its worker died. */
  readonly outcome: 'accepted' | 'failed' | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** One message to one channel, with its attempts, oldest first. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly channelId: string | null;
  readonly channelName: string;
  readonly channelKind: ChannelKind;
  readonly routeId: string | null;
  readonly routeName: string;
  readonly event: DeliveryKind;
  readonly state: DeliveryState;
  readonly items: DeliveryItems;
  readonly createdAt: Date;
  readonly dueAt: Date;
  /** Null if it has ended. */
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date | null;
  readonly endReason: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

/** Filters; omitted ones match everything. */
export interface DeliveryFilters {
  readonly state?: DeliveryState;
  readonly channelId?: string;
  readonly event?: string;
  /** Written at this time or later. */
  readonly from?: Date;
  /** Written before this time. */
  readonly to?: Date;
}

/** The log of deliveries. A limited `scope` has only those of its channels (ChannelStore). */
export interface DeliveryStore {
  /** Newest first; the page starts below the id `before`. */
  list(
    filters: DeliveryFilters,
    scope: HostScope,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<readonly Delivery[]>;
  count(filters: DeliveryFilters, scope: HostScope): Promise<number>;
  find(id: string, scope: HostScope): Promise<Delivery | null>;
  /** Writes a delivery that tests a channel, to be sent at once and only once. */
  addTest(channel: Channel, by: AuditActor): Promise<DeliveryId>;
  /** Writes a delivery that asks the addresses of a channel to confirm themselves. */
  addConfirmation(channel: Channel, by: AuditActor): Promise<DeliveryId>;
  /**
   * Has a delivery sent again that was given up: the same content under the same id, for another day. Null if it does not
   * exist; `ended_otherwise` if it was not given up; `no_channel` if its channel was deleted.
   */
  resend(
    id: string,
    scope: HostScope,
    by: AuditActor,
  ): Promise<Delivery | null | 'ended_otherwise' | 'no_channel'>;
  /** Cancels a test that no worker has begun. */
  giveUpTest(id: DeliveryId): Promise<void>;
}

/** The deliveries of one database. */
export function createDeliveryStore({ prisma, pool }: Database): DeliveryStore {
  const idsOf = async (
    filters: DeliveryFilters,
    scope: HostScope,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT d.id FROM notification_deliveries d WHERE ${conditionsBySql} AND ($7::uuid IS NULL OR d.id < $7)
       ORDER BY d.id DESC LIMIT $8`,
      [...valuesOf(filters, scope), before, limit],
    );
    return rows.map(({ id }) => id);
  };
  const load = async (ids: readonly string[]): Promise<readonly Delivery[]> => {
    const rows = await prisma.notificationDelivery.findMany({
      where: { id: { in: [...ids] } },
      orderBy: { id: 'desc' },
      include: { tries: { orderBy: { n: 'asc' } } },
    });
    return rows.map(toDelivery);
  };
  const find = async (id: string, scope: HostScope): Promise<Delivery | null> => {
    if (!isUuid(id)) return null;
    const { rows } = await pool.query<{ id: string }>(
      `SELECT d.id FROM notification_deliveries d WHERE d.id = $1 AND ${ownChannelBySql('d', '$2')}`,
      [id, ownTags(scope)],
    );
    const [found] = await load(rows.map((row) => row.id));
    return found ?? null;
  };
  return {
    find,
    async list(filters, scope, page) {
      if (page.before !== null && !isUuid(page.before)) return [];
      return load(await idsOf(filters, scope, page));
    },
    async count(filters, scope) {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM notification_deliveries d WHERE ${conditionsBySql}`,
        valuesOf(filters, scope),
      );
      return rows[0]?.n ?? 0;
    },
    async resend(id, scope, by) {
      const before = await find(id, scope);
      if (before === null) return null;
      const { channelId } = before;
      if (channelId === null) return 'no_channel';
      const isChanged = await inTransaction(prisma, async (tx) => {
        const now = await databaseTime(tx);
        const { count } = await tx.notificationDelivery.updateMany({
          where: { id, state: 'failed', event: { notIn: ['test', 'confirmation'] } },
          data: { state: 'waiting', dueAt: now, nextAttemptAt: now, endedAt: null, endReason: null },
        });
        if (count === 0) return false;
        await recordAuditEvent(tx, {
          action: 'delivery.resent',
          actor: by,
          target: { kind: 'channel', id: channelId, name: before.channelName },
          details: { delivery: id, event: before.event },
        });
        return true;
      });
      return isChanged ? find(id, scope) : 'ended_otherwise';
    },
    addTest: (channel, by) => addAtOnce(prisma, channel, 'test', by),
    addConfirmation: (channel, by) => addAtOnce(prisma, channel, 'confirmation', by),
    async giveUpTest(id) {
      await pool.query(
        `UPDATE notification_deliveries SET state = 'cancelled', ended_at = now(),
           end_reason = 'No notify-worker took it in time.' WHERE id = $1 AND event = 'test' AND state = 'waiting'`,
        [id],
      );
    },
  };
}

const actions = { test: 'channel.tested', confirmation: 'channel.confirmation_sent' } as const;

function addAtOnce(
  prisma: Database['prisma'],
  channel: Channel,
  kind: keyof typeof actions,
  by: AuditActor,
): Promise<DeliveryId> {
  return inTransaction(prisma, async (tx) => {
    const id = newId<DeliveryId>();
    const items: DeliveryItems = { events: [], omitted: 0 };
    await tx.$executeRaw(Prisma.sql`
      INSERT INTO notification_deliveries (id, channel_id, channel_name, channel_kind, route_name, is_limited, tags,
        event, state, items, due_at, next_attempt_at)
      VALUES (${id}::uuid, ${channel.id}::uuid, ${channel.name}, ${channel.kind}, '', ${scopeRow(channel.scope).isLimited},
        ${scopeRow(channel.scope).tags}, ${kind}, 'waiting', ${JSON.stringify(items)}::jsonb, now(), now())`);
    const target = { kind: 'channel', id: channel.id, name: channel.name } as const;
    await recordAuditEvent(tx, { action: actions[kind], actor: by, target, details: {} });
    return id;
  });
}

/** Of a table `d`; the values are `valuesOf`. */
const conditionsBySql = `($1::text IS NULL OR d.state = $1) AND ($2::uuid IS NULL OR d.channel_id = $2)
  AND ($3::text IS NULL OR d.event = $3 OR d.items -> 'events' @> jsonb_build_array(jsonb_build_object('event', $3)))
  AND ${ownChannelBySql('d', '$4')} AND ($5::timestamptz IS NULL OR d.created_at >= $5) AND ($6::timestamptz IS NULL OR d.created_at < $6)`;

function valuesOf({ state, channelId, event, from, to }: DeliveryFilters, scope: HostScope): unknown[] {
  return [state ?? null, channelId ?? null, event ?? null, ownTags(scope), from ?? null, to ?? null];
}

type Row = Prisma.NotificationDeliveryGetPayload<{ include: { tries: true } }>;

function toDelivery({ tries, ...row }: Row): Delivery {
  return {
    ...row,
    // Only the collector and this store write these.
    id: row.id as DeliveryId,
    channelKind: row.channelKind as ChannelKind,
    event: row.event as DeliveryKind,
    state: row.state as DeliveryState,
    items: parseItems(row.items),
    nextAttemptAt: row.endedAt === null ? row.nextAttemptAt : null,
    attempts: tries.map((attempt) => ({
      ...attempt,
      outcome: attempt.outcome as DeliveryAttempt['outcome'],
    })),
  };
}
