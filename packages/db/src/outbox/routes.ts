import {
  AppError,
  type ChannelId,
  type HostScope,
  type NotificationEvent,
  type RouteId,
  type Severity,
} from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import { Prisma, type NotificationRoute as RouteRow } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';
import { scopeOfRow } from '../people/change-user.ts';
import { isOwnChannel } from './notification-scope.ts';
import { type Digest, parseDigest, parseQuietHours, type QuietHours } from './route-schedule.ts';

/** Which events go to a channel, and when. */
export interface Route {
  readonly id: RouteId;
  readonly channelId: ChannelId;
  readonly name: string;
  readonly events: readonly NotificationEvent[];
  /** Of findings: this severity and worse ones; null: any. */
  readonly minSeverity: Severity | null;
  /** Only about hosts with one of these; empty: every host that the channel may be told about. */
  readonly tags: readonly string[];
  readonly delayMinutes: number;
  readonly digest: Digest | null;
  readonly quietHours: QuietHours | null;
  readonly pausedAt: Date | null;
  readonly createdAt: Date;
}

/** The fields of a new route. */
export type NewRoute = Omit<Route, 'pausedAt' | 'createdAt'>;

/** Fields to change; omitted ones stay. */
export type RouteChanges = Partial<Omit<NewRoute, 'id' | 'channelId'>> & { readonly paused?: boolean };

/** Stores routes. A limited `scope` has only the routes of its channels (ChannelStore). */
export interface RouteStore {
  /** By name. */
  list(scope: HostScope): Promise<readonly Route[]>;
  /** Null if the channel does not exist. Throws `conflict` if there are `mostRoutes` already. */
  create(route: NewRoute, scope: HostScope, by: AuditActor): Promise<Route | null>;
  /** Null if it does not exist. */
  change(id: string, scope: HostScope, changes: RouteChanges, by: AuditActor): Promise<Route | null>;
  /** False if it does not exist. What waits is still sent. */
  remove(id: string, scope: HostScope, by: AuditActor): Promise<boolean>;
}

/** So that an operator cannot fill the database. */
export const mostRoutes = 500;

/** The routes of one database. */
export function createRouteStore({ prisma }: Database): RouteStore {
  const withChannel = { include: { channel: true } } as const;
  const find = async (tx: Transaction, id: string, scope: HostScope) => {
    const row = isUuid(id) ? await tx.notificationRoute.findUnique({ where: { id }, ...withChannel }) : null;
    return row !== null && isOwnChannel(scope, scopeOfRow(row.channel)) ? row : null;
  };
  return {
    async list(scope) {
      const rows = await prisma.notificationRoute.findMany({
        ...withChannel,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return rows.filter(({ channel }) => isOwnChannel(scope, scopeOfRow(channel))).map(toRoute);
    },
    create: (route, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const { id, channelId, name } = route;
        const channel = await tx.notificationChannel.findUnique({ where: { id: channelId } });
        if (channel === null || !isOwnChannel(scope, scopeOfRow(channel))) return null;
        if ((await tx.notificationRoute.count()) >= mostRoutes)
          throw new AppError(
            'conflict',
            `There are at most ${mostRoutes} routes. Delete one that is not used.`,
          );
        const row = await tx.notificationRoute.create({
          data: { id, channelId, ...columnsOf(route) } as RouteData,
        });
        await recordAuditEvent(tx, {
          action: 'route.created',
          actor: by,
          target: { kind: 'route', id, name },
          details: { channel: channel.name, ...detailsOf(route) },
        });
        return toRoute(row);
      }),
    change: (id, scope, { paused, ...changes }, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await find(tx, id, scope);
        if (before === null) return null;
        const pausedAt = paused === true ? (before.pausedAt ?? (await databaseTime(tx))) : null;
        const row = await tx.notificationRoute.update({
          where: { id },
          data: { ...columnsOf(changes), ...(paused === undefined ? {} : { pausedAt }) },
        });
        await recordAuditEvent(tx, {
          action: 'route.updated',
          actor: by,
          target: { kind: 'route', id, name: row.name },
          details: { ...detailsOf(changes), ...(paused === undefined ? {} : { paused }) },
        });
        return toRoute(row);
      }),
    remove: (id, scope, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await find(tx, id, scope);
        if (before === null) return false;
        await tx.notificationRoute.deleteMany({ where: { id } });
        await recordAuditEvent(tx, {
          action: 'route.deleted',
          actor: by,
          target: { kind: 'route', id, name: before.name },
          details: { channel: before.channel.name },
        });
        return true;
      }),
  };
}

type RouteData = Prisma.NotificationRouteUncheckedCreateInput;
type Fields = Omit<RouteChanges, 'paused'>;

function columnsOf({ name, events, minSeverity, tags, delayMinutes, digest, quietHours }: Fields) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events: [...events] }),
    ...(minSeverity === undefined ? {} : { minSeverity }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(delayMinutes === undefined ? {} : { delayMinutes }),
    ...(digest === undefined ? {} : { digest: digest === null ? Prisma.DbNull : { ...digest } }),
    ...(quietHours === undefined
      ? {}
      : { quietHours: quietHours === null ? Prisma.DbNull : { ...quietHours } }),
  };
}

function detailsOf({ name, events, minSeverity, tags, delayMinutes, digest, quietHours }: Fields) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events }),
    ...(minSeverity === undefined ? {} : { min_severity: minSeverity }),
    ...(tags === undefined ? {} : { tags }),
    ...(delayMinutes === undefined ? {} : { delay_minutes: delayMinutes }),
    ...(digest === undefined ? {} : { digest: digest === null ? null : Object.values(digest).join(' ') }),
    ...(quietHours === undefined
      ? {}
      : { quiet_hours: quietHours === null ? null : Object.values(quietHours).join(' ') }),
  };
}

/** A stored route. */
export function toRoute(row: RouteRow): Route {
  return {
    ...row,
    // Only this store writes ids, events and severities.
    id: row.id as RouteId,
    channelId: row.channelId as ChannelId,
    events: row.events as NotificationEvent[],
    minSeverity: row.minSeverity as Severity | null,
    digest: parseDigest(row.digest),
    quietHours: parseQuietHours(row.quietHours),
  };
}
