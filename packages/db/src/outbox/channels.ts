import {
  AppError,
  type ChannelId,
  type ChannelKind,
  type HostScope,
  previousSecretMs,
  tagsOfScope,
} from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import { type NotificationChannel as ChannelRow, Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';
import { scopeOfRow, scopeRow } from '../people/change-user.ts';
import { changedFields } from '../people/changed-fields.ts';
import { isOwnChannel } from './notification-scope.ts';

/** A channel without its secrets. */
export interface Channel {
  readonly id: ChannelId;
  readonly name: string;
  readonly kind: ChannelKind;
  /** The address without the parts that give access; null for e-mail. */
  readonly shownUrl: string | null;
  readonly addresses: readonly string[];
  /** Those to which only requests to confirm them go. */
  readonly unconfirmed: readonly string[];
  readonly hasSecret: boolean;
  /** Until when the secret before the newest one signs too; null: there is none. */
  readonly previousSecretUntil: Date | null;
  readonly pausedAt: Date | null;
  /** The hosts that its messages may be about. */
  readonly scope: HostScope;
  /** E-mail address of the user who made it. */
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** A sealed text of a channel. */
export type SealedText = Uint8Array<ArrayBuffer>;

/** The fields of a new channel. */
export interface NewChannel
  extends Pick<
    Channel,
    'id' | 'name' | 'kind' | 'shownUrl' | 'addresses' | 'unconfirmed' | 'scope' | 'createdBy'
  > {
  readonly sealedUrl: SealedText | null;
  readonly sealedSecret: SealedText | null;
}

/** Fields to change; omitted ones stay. */
export interface ChannelChanges {
  readonly name?: string;
  readonly url?: { readonly shown: string; readonly sealed: SealedText };
  readonly addresses?: readonly string[];
  /** Those of the addresses that must confirm themselves if the channel did not have them before. */
  readonly outside?: readonly string[];
  /** The one before stays valid for a day; null removes both. */
  readonly sealedSecret?: SealedText | null;
  readonly paused?: boolean;
}

/** Stores channels. A limited `scope` sees and changes only channels that are limited to its tags. */
export interface ChannelStore {
  /** The raw public key to seal secrets to; null: no notify-worker has started yet. */
  sealingKey(): Promise<Buffer | null>;
  /** By name. */
  list(scope: HostScope): Promise<readonly Channel[]>;
  find(id: string, scope: HostScope): Promise<Channel | null>;
  /** Throws `conflict` if there are `mostChannels` already. */
  create(channel: NewChannel, by: AuditActor): Promise<Channel>;
  /** Null if it does not exist. */
  change(id: string, scope: HostScope, changes: ChannelChanges, by: AuditActor): Promise<Channel | null>;
  /** Deletes a channel with its routes and cancels what waits for it; false if it does not exist. */
  remove(id: string, scope: HostScope, by: AuditActor): Promise<boolean>;
}

/** So that an operator cannot fill the database. */
export const mostChannels = 200;

/** The channels of one database. */
export function createChannelStore({ prisma }: Database): ChannelStore {
  return {
    async sealingKey() {
      const row = await prisma.notificationKey.findFirst({ orderBy: { createdAt: 'desc' } });
      return row === null ? null : Buffer.from(row.publicKey, 'base64');
    },
    async list(scope) {
      const rows = await prisma.notificationChannel.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
      return rows.map(toChannel).filter((channel) => isOwnChannel(scope, channel.scope));
    },
    async find(id, scope) {
      const row = isUuid(id) ? await prisma.notificationChannel.findUnique({ where: { id } }) : null;
      return row === null ? null : ownOrNull(scope, toChannel(row));
    },
    create: (channel, by) =>
      inTransaction(prisma, async (tx) => {
        if ((await tx.notificationChannel.count()) >= mostChannels)
          throw new AppError(
            'conflict',
            `There are at most ${mostChannels} channels. Delete one that is not used.`,
          );
        const { scope, ...fields } = channel;
        const { id, name, kind, shownUrl, addresses, unconfirmed } = fields;
        const row = await tx.notificationChannel.create({
          data: {
            ...fields,
            addresses: [...addresses],
            unconfirmed: [...unconfirmed],
            ...scopeRow(scope),
          },
        });
        await recordAuditEvent(tx, {
          action: 'channel.created',
          actor: by,
          target: { kind: 'channel', id, name },
          details: { kind, url: shownUrl, addresses, tags: tagsOfScope(scope) },
        });
        return toChannel(row);
      }),
    change: (id, scope, changes, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await lockChannel(tx, id, scope);
        return before === null ? null : change(tx, before, changes, by);
      }),
    remove: (id, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await lockChannel(tx, id, scope);
        if (before === null) return false;
        await tx.notificationDelivery.updateMany({
          where: { channelId: id, state: { in: ['waiting', 'sending'] } },
          data: {
            state: 'cancelled',
            endedAt: await databaseTime(tx),
            endReason: 'Its channel was deleted.',
          },
        });
        await tx.notificationChannel.deleteMany({ where: { id } });
        await recordAuditEvent(tx, {
          action: 'channel.deleted',
          actor: by,
          target: { kind: 'channel', id, name: before.name },
          details: { kind: before.kind },
        });
        return true;
      }),
  };
}

async function change(
  tx: Transaction,
  before: ChannelRow,
  { name, url, addresses, outside = [], sealedSecret, paused }: ChannelChanges,
  by: AuditActor,
): Promise<Channel> {
  const now = await databaseTime(tx);
  const details = changedFields(
    {
      name: before.name,
      url: before.shownUrl,
      addresses: before.addresses,
      paused: before.pausedAt !== null,
    },
    {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url: url.shown }),
      ...(addresses === undefined ? {} : { addresses }),
      ...(paused === undefined ? {} : { paused }),
    },
  );
  const row = await tx.notificationChannel.update({
    where: { id: before.id },
    data: {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { shownUrl: url.shown, sealedUrl: url.sealed }),
      ...(addresses === undefined ? {} : addressRow(before, addresses, outside)),
      ...(paused === undefined ? {} : { pausedAt: paused ? (before.pausedAt ?? now) : null }),
      ...(sealedSecret === undefined ? {} : secretRow(before, sealedSecret, now)),
    },
  });
  // A new address is noted even where its shown part is the same.
  const hidden = {
    ...(url !== undefined && url.shown === before.shownUrl ? { url_replaced: true } : {}),
    ...(sealedSecret === undefined ? {} : { secret: sealedSecret === null ? 'removed' : 'replaced' }),
  };
  if (details !== null || Object.keys(hidden).length > 0) {
    await recordAuditEvent(tx, {
      action: 'channel.updated',
      actor: by,
      target: { kind: 'channel', id: row.id, name: row.name },
      details: { ...details, ...hidden },
    });
  }
  return toChannel(row);
}

/** An address that the channel had before stays as it was. */
function addressRow(before: ChannelRow, addresses: readonly string[], outside: readonly string[]) {
  const isUnconfirmed = (address: string) =>
    (before.addresses.includes(address) ? before.unconfirmed : outside).includes(address);
  return { addresses: [...addresses], unconfirmed: addresses.filter(isUnconfirmed) };
}

function secretRow(before: ChannelRow, sealedSecret: SealedText | null, now: Date) {
  const previous = sealedSecret === null ? null : before.sealedSecret;
  return {
    sealedSecret,
    sealedPrevious: previous,
    previousUntil: previous === null ? null : new Date(now.getTime() + previousSecretMs),
  };
}

/** Locks a channel that the scope may change; null if there is none. */
async function lockChannel(tx: Transaction, id: string, scope: HostScope): Promise<ChannelRow | null> {
  if (!isUuid(id)) return null;
  await tx.$queryRaw(Prisma.sql`SELECT id FROM notification_channels WHERE id = ${id}::uuid FOR UPDATE`);
  const row = await tx.notificationChannel.findUnique({ where: { id } });
  return row !== null && isOwnChannel(scope, scopeOfRow(row)) ? row : null;
}

function ownOrNull(scope: HostScope, channel: Channel): Channel | null {
  return isOwnChannel(scope, channel.scope) ? channel : null;
}

function toChannel(row: ChannelRow): Channel {
  return {
    // Only this store writes ids and kinds.
    id: row.id as ChannelId,
    kind: row.kind as ChannelKind,
    name: row.name,
    shownUrl: row.shownUrl,
    addresses: row.addresses,
    unconfirmed: row.unconfirmed,
    hasSecret: row.sealedSecret !== null,
    previousSecretUntil: row.previousUntil,
    pausedAt: row.pausedAt,
    scope: scopeOfRow(row),
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}
