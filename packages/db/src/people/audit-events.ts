import type { AuditAction, AuditActorKind, AuditDetails, AuditTargetKind } from '@plimsoll/model';
import { z } from 'zod';
import { likeLiteral } from '../core/conditions.ts';
import { type Database, isUuid, newId } from '../core/database.ts';
import { databaseTime, queryRows, type Transaction } from '../core/transaction.ts';
import { type AuditEvent as AuditRow, Prisma } from '../generated/client.ts';

/** The actor of an event and the request it came from. */
export interface AuditActor {
  readonly kind: AuditActorKind;
  /** The id of the user or host; null without an id, or if the actor is not authenticated. */
  readonly id: string | null;
  /** A user's e-mail address, a host's name, the command, or the part of the service. */
  readonly name: string;
  readonly ipAddress: string | null;
  /** The id of the request; null if no request caused the event. */
  readonly requestId: string | null;
}

/** The target of an action. */
export interface AuditTarget {
  readonly kind: AuditTargetKind;
  readonly id: string;
  /** Its name; null for an existing host, whose name is looked up when the log is read. */
  readonly name: string | null;
}

/** An event to be written. */
export interface NewAuditEvent {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly target: AuditTarget | null;
  readonly details: AuditDetails;
}

/** An entry of the audit log. */
export interface AuditEvent extends NewAuditEvent {
  readonly id: string;
  readonly at: Date;
}

/** Filters for entries; omitted ones match everything. */
export interface AuditFilters {
  /** An id or an exact name. */
  readonly actor?: string;
  /** A prefix of the action, e.g. `user.` */
  readonly action?: string;
  readonly targetId?: string;
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** The audit log. Entries are added, read, and deleted by age. */
export interface AuditStore {
  /** Newest first; the page starts below the id `before`. */
  list(
    filters: AuditFilters,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<readonly AuditEvent[]>;
  count(filters: AuditFilters): Promise<number>;
  /** Records a failed sign-in, unless the limit per minute is reached. */
  noteFailedLogin(actor: AuditActor, userId: string | null, details?: AuditDetails): Promise<void>;
  /** Records an action that changes no row by itself, such as requesting a job. */
  note(event: NewAuditEvent): Promise<void>;
  /** Deletes entries before a time, at most `limit`; returns their number. */
  dropBefore(before: Date, limit: number): Promise<number>;
}

/**
 * The maximum number of failed sign-ins recorded per minute by all processes together, so that guessing passwords
 * cannot fill the database: of existing users, and as many of all others, which thus hide no guess at a user's password.
 */
const failuresPerMinute = 60;

const droppedRow = z.object({ dropped: z.number() });

/** The audit log of one database. */
export function createAuditStore({ prisma }: Database): AuditStore {
  return {
    async list(filters, { limit, before }) {
      if (before !== null && !isUuid(before)) return [];
      const rows = await prisma.auditEvent.findMany({
        where: { ...conditionsOf(filters), ...(before === null ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
      });
      return rows.map(toEvent);
    },
    count: (filters) => prisma.auditEvent.count({ where: conditionsOf(filters) }),
    async noteFailedLogin(actor, userId, details = {}) {
      const since = new Date((await databaseTime(prisma)).getTime() - 60_000);
      const noted = await prisma.auditEvent.count({
        where: {
          action: 'user.login_failed',
          at: { gt: since },
          targetId: userId === null ? null : { not: null },
        },
        take: failuresPerMinute,
      });
      if (noted >= failuresPerMinute) return;
      const target: AuditTarget | null =
        userId === null ? null : { kind: 'user', id: userId, name: actor.name };
      await recordAuditEvent(prisma, { action: 'user.login_failed', actor, target, details });
    },
    note: (event) => recordAuditEvent(prisma, event),
    async dropBefore(before, limit) {
      const drop = Prisma.sql`SELECT drop_audit_events(${before}, ${limit})::int AS dropped`;
      return (await queryRows(prisma, droppedRow, drop))[0]?.dropped ?? 0;
    },
  };
}

/** Writes an entry in the transaction of the change that it describes, so that both or neither are stored. */
export async function recordAuditEvent(
  on: Pick<Transaction, 'auditEvent' | 'host'>,
  event: NewAuditEvent,
): Promise<void> {
  const { target } = event;
  const name = target === null ? null : await targetNameOf(on, target);
  await recordAuditEvents(on, [{ ...event, target: target === null ? null : { ...target, name } }]);
}

/** As `recordAuditEvent`, for many. Targets need their names: they are not looked up. */
export async function recordAuditEvents(
  on: Pick<Transaction, 'auditEvent'>,
  events: readonly NewAuditEvent[],
): Promise<void> {
  // `createMany` reads nothing back: some apps may add entries but not read them. The database sets the time.
  await on.auditEvent.createMany({
    data: events.map(({ action, actor, target, details }) => ({
      id: newId<string>(),
      action,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      ipAddress: actor.ipAddress,
      requestId: actor.requestId,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      targetName: target?.name ?? null,
      details: { ...details },
    })),
  });
}

async function targetNameOf(on: Pick<Transaction, 'host'>, target: AuditTarget): Promise<string | null> {
  if (target.name !== null || target.kind !== 'host' || !isUuid(target.id)) return target.name;
  const host = await on.host.findUnique({ where: { id: target.id }, select: { displayName: true } });
  return host?.displayName ?? null;
}

/** The actor for a part of the service that acts by itself. */
export function systemActor(name: string): AuditActor {
  return { kind: 'system', id: null, name, ipAddress: null, requestId: null };
}

/** The actor for a command. It has the database password; the person cannot be identified. */
export function cliActor(command: string): AuditActor {
  return { kind: 'cli', id: null, name: command, ipAddress: null, requestId: null };
}

function conditionsOf({ actor, action, targetId, from, to }: AuditFilters): Prisma.AuditEventWhereInput {
  return {
    ...(actor === undefined ? {} : isUuid(actor) ? { actorId: actor } : { actorName: actor }),
    ...(action === undefined ? {} : { action: { startsWith: likeLiteral(action) } }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) } }),
  };
}

/** Only `recordAuditEvent` writes kinds, actions and details. */
function toEvent(row: AuditRow): AuditEvent {
  const { id, at, targetId, targetName } = row;
  const actor: AuditActor = {
    kind: row.actorKind as AuditActorKind,
    id: row.actorId,
    name: row.actorName,
    ipAddress: row.ipAddress,
    requestId: row.requestId,
  };
  const kind = row.targetKind as AuditTargetKind | null;
  const target = kind === null || targetId === null ? null : { kind, id: targetId, name: targetName };
  return { id, at, action: row.action as AuditAction, actor, target, details: row.details as AuditDetails };
}
