import {
  AppError,
  type BulletinId,
  type ChannelId,
  type DeliveryId,
  type HostGroupId,
  type HostScope,
  type UserId,
} from '@plimsoll/model';
import { type Database, isUuid, newId } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import type { NotificationBulletin as BulletinRow } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';
import { scopeOfRow, scopeRow } from '../people/change-user.ts';
import { isOwnChannel } from './notification-scope.ts';

/** When a bulletin is sent, in local time. */
export interface BulletinSchedule {
  readonly every: 'day' | 'week' | 'month';
  /** Of weekly ones: 1 (Monday) to 7. */
  readonly weekday: number;
  /** Of monthly ones: 1 to 31; shorter months end earlier. */
  readonly day: number;
  /** `HH:MM`. */
  readonly at: string;
  readonly timeZone: string;
}

/** The state of some hosts that is sent by e-mail on a schedule. */
export interface Bulletin extends BulletinSchedule {
  readonly id: BulletinId;
  readonly name: string;
  /** An e-mail channel, which has the recipients. */
  readonly channelId: ChannelId;
  /** Whose rights decide which hosts it is about; null: the user was deleted. */
  readonly ownerId: UserId | null;
  /** Of the credential with which it was made. */
  readonly scope: HostScope;
  /** The hosts of a group, or with a tag; both null: all. */
  readonly groupId: HostGroupId | null;
  readonly tag: string | null;
  readonly pausedAt: Date | null;
  /** Null: the notify-worker has not computed it yet. */
  readonly nextAt: Date | null;
  /** When one was delivered last. */
  readonly lastAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** The fields of a new bulletin. */
export type NewBulletin = Omit<Bulletin, 'pausedAt' | 'nextAt' | 'lastAt' | 'createdAt' | 'ownerId'> & {
  readonly ownerId: UserId;
};

/** Fields to change; omitted ones stay. */
export type BulletinChanges = Partial<Pick<Bulletin, 'name' | 'groupId' | 'tag' | keyof BulletinSchedule>> & {
  readonly paused?: boolean;
};

/** Stores bulletins. A limited `scope` has only those of its channels (ChannelStore). */
export interface BulletinStore {
  /** By name. */
  list(scope: HostScope): Promise<readonly Bulletin[]>;
  find(id: string, scope: HostScope): Promise<Bulletin | null>;
  /** Null without such a channel for e-mail. Throws `conflict` if there are `mostBulletins` already. */
  create(bulletin: NewBulletin, scope: HostScope, by: AuditActor): Promise<Bulletin | null>;
  /** Null if it does not exist. */
  change(id: string, scope: HostScope, changes: BulletinChanges, by: AuditActor): Promise<Bulletin | null>;
  /** False if it does not exist. What waits of it is not sent. */
  remove(id: string, scope: HostScope, by: AuditActor): Promise<boolean>;
  /**
   * Writes a delivery that is due at once; the schedule stays. Null if it does not exist. Throws `conflict` while another
   * one of it waits or is sent.
   */
  send(id: string, scope: HostScope, by: AuditActor): Promise<DeliveryId | null>;
}

/** So that an operator cannot fill the database. */
export const mostBulletins = 200;

/** The bulletins of one database. */
export function createBulletinStore({ prisma }: Database): BulletinStore {
  const withChannel = { include: { channel: true } } as const;
  const find = async (on: Pick<Transaction, 'notificationBulletin'>, id: string, scope: HostScope) => {
    const row = isUuid(id)
      ? await on.notificationBulletin.findUnique({ where: { id }, ...withChannel })
      : null;
    return row !== null && isOwnChannel(scope, scopeOfRow(row.channel)) ? row : null;
  };
  return {
    async list(scope) {
      const rows = await prisma.notificationBulletin.findMany({
        ...withChannel,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return rows.filter(({ channel }) => isOwnChannel(scope, scopeOfRow(channel))).map(toBulletin);
    },
    async find(id, scope) {
      const row = await find(prisma, id, scope);
      return row === null ? null : toBulletin(row);
    },
    create: (bulletin, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const { scope: ownScope, ...fields } = bulletin;
        const { id, channelId, name, groupId, tag } = fields;
        const channel = await tx.notificationChannel.findUnique({ where: { id: channelId } });
        if (channel === null || channel.kind !== 'email' || !isOwnChannel(scope, scopeOfRow(channel)))
          return null;
        if ((await tx.notificationBulletin.count()) >= mostBulletins)
          throw new AppError(
            'conflict',
            `There are at most ${mostBulletins} reports by mail. Delete one that is not used.`,
          );
        const row = await tx.notificationBulletin.create({
          data: { ...fields, ...scopeRow(ownScope) },
        });
        await recordAuditEvent(tx, {
          action: 'bulletin.created',
          actor: by,
          target: { kind: 'bulletin', id, name },
          details: { channel: channel.name, group: groupId, tag, ...scheduleRow(bulletin) },
        });
        return toBulletin(row);
      }),
    change: (id, scope, { paused, name, groupId, tag, ...schedule }, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await find(tx, id, scope);
        if (before === null) return null;
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(groupId === undefined ? {} : { groupId }),
          ...(tag === undefined ? {} : { tag }),
          ...schedule,
        };
        const now = await databaseTime(tx);
        const row = await tx.notificationBulletin.update({
          where: { id },
          data: {
            ...changes,
            // Computed again from now on: what was due while it was paused is not sent.
            nextAt: null,
            ...(paused === undefined ? {} : { pausedAt: paused ? (before.pausedAt ?? now) : null }),
          },
        });
        await recordAuditEvent(tx, {
          action: 'bulletin.updated',
          actor: by,
          target: { kind: 'bulletin', id, name: row.name },
          details: { ...changes, ...(paused === undefined ? {} : { paused }) },
        });
        return toBulletin(row);
      }),
    remove: (id, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await find(tx, id, scope);
        if (before === null) return false;
        await tx.notificationDelivery.updateMany({
          where: { bulletinId: id, state: { in: ['waiting', 'sending'] } },
          data: { state: 'cancelled', endedAt: await databaseTime(tx), endReason: 'The report was deleted.' },
        });
        await tx.notificationBulletin.deleteMany({ where: { id } });
        await recordAuditEvent(tx, {
          action: 'bulletin.deleted',
          actor: by,
          target: { kind: 'bulletin', id, name: before.name },
          details: { channel: before.channel.name },
        });
        return true;
      }),
    send: (id, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const row = await find(tx, id, scope);
        if (row === null) return null;
        const open = await tx.notificationDelivery.count({
          where: { bulletinId: id, state: { in: ['waiting', 'sending'] } },
        });
        if (open > 0) throw new AppError('conflict', 'This report is being sent already: see the messages.');
        const deliveryId = newId<DeliveryId>();
        const now = await databaseTime(tx);
        const { channel } = row;
        await tx.notificationDelivery.createMany({
          data: {
            id: deliveryId,
            channelId: channel.id,
            bulletinId: id,
            channelName: channel.name,
            channelKind: channel.kind,
            routeName: row.name,
            isLimited: channel.isLimited,
            tags: channel.tags,
            event: 'bulletin',
            state: 'waiting',
            items: { events: [], omitted: 0 },
            dueAt: now,
            nextAttemptAt: now,
          },
        });
        await recordAuditEvent(tx, {
          action: 'bulletin.sent',
          actor: by,
          target: { kind: 'bulletin', id, name: row.name },
          details: { channel: channel.name },
        });
        return deliveryId;
      }),
  };
}

function scheduleRow({ every, weekday, day, at, timeZone }: BulletinSchedule) {
  return { every, weekday, day, at, timeZone };
}

function toBulletin(row: BulletinRow): Bulletin {
  const { base: _base, isLimited, tags, ...fields } = row;
  return {
    ...fields,
    scope: scopeOfRow({ isLimited, tags }),
    // Only this store writes these.
    id: row.id as BulletinId,
    channelId: row.channelId as ChannelId,
    ownerId: row.ownerId as UserId | null,
    groupId: row.groupId as HostGroupId | null,
    every: row.every as Bulletin['every'],
  };
}
