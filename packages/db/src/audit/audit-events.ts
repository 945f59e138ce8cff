import type { AuditAction, AuditActorKind, AuditDetails, AuditTargetKind } from '@plimsoll/model';
import { z } from 'zod';
import { databaseTime } from '../connection/database-time.ts';
import { likeLiteral } from '../connection/like-literal.ts';
import { queryRows, type Transaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import { type AuditEvent as AuditRow, Prisma } from '../generated/client.ts';
import { isUuid, newId } from '../uuid.ts';

/** Who did something, and where they asked for it. */
export interface AuditActor {
  readonly kind: AuditActorKind;
  /** Of the user or host; null where there is none, or none that showed who they are. */
  readonly id: string | null;
  /** A user's e-mail address, a host's name, the command, or the part of the service. */
  readonly name: string;
  readonly ipAddress: string | null;
  /** Of the request that asked for it; null where none did. */
  readonly requestId: string | null;
}

/** What something was done to. */
export interface AuditTarget {
  readonly kind: AuditTargetKind;
  readonly id: string;
  /** What it is called; null for a host that is still there: the log looks it up. */
  readonly name: string | null;
}

/** Something that happened. */
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

/** Which entries are asked for; what is left out does not matter. */
export interface AuditFilters {
  /** An id, or a name exactly. */
  readonly actor?: string;
  /** How the action begins: `user.` */
  readonly action?: string;
  readonly targetId?: string;
  /** Not before. */
  readonly from?: Date;
  /** Before. */
  readonly to?: Date;
}

/** The audit log: it grows, is read, and is forgotten by age. */
export interface AuditStore {
  /** Newest first; `before` is the id that the page starts below. */
  list(
    filters: AuditFilters,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<readonly AuditEvent[]>;
  count(filters: AuditFilters): Promise<number>;
  /** Notes a sign-in that failed, unless so many of them were noted in the last minute that more would only fill the log. */
  noteFailedLogin(actor: AuditActor, userId: string | null): Promise<void>;
  /** Notes what changes no row of its own: jobs that were asked for. */
  note(event: NewAuditEvent): Promise<void>;
  /** Forgets entries from before a time, at most `limit`; answers how many went. */
  dropBefore(before: Date, limit: number): Promise<number>;
}

/** Failed sign-ins that are noted in a minute, by all processes together: guessing passwords must not fill the database. */
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
    async noteFailedLogin(actor, userId) {
      const since = new Date((await databaseTime(prisma)).getTime() - 60_000);
      const noted = await prisma.auditEvent.count({
        where: { action: 'user.login_failed', at: { gt: since } },
        take: failuresPerMinute,
      });
      if (noted >= failuresPerMinute) return;
      const target: AuditTarget | null =
        userId === null ? null : { kind: 'user', id: userId, name: actor.name };
      await recordAuditEvent(prisma, { action: 'user.login_failed', actor, target, details: {} });
    },
    note: (event) => recordAuditEvent(prisma, event),
    async dropBefore(before, limit) {
      const drop = Prisma.sql`SELECT drop_audit_events(${before}, ${limit})::int AS dropped`;
      return (await queryRows(prisma, droppedRow, drop))[0]?.dropped ?? 0;
    },
  };
}

/** Writes an entry, in the transaction of what it tells of: either both happened or neither. */
export async function recordAuditEvent(
  on: Pick<Transaction, 'auditEvent' | 'host'>,
  { action, actor, target, details }: NewAuditEvent,
): Promise<void> {
  // Many at once, as that reads nothing back: some apps may add entries and not read them. The database sets the time.
  await on.auditEvent.createMany({
    data: {
      id: newId<string>(),
      action,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      ipAddress: actor.ipAddress,
      requestId: actor.requestId,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      targetName: target === null ? null : await targetNameOf(on, target),
      details: { ...details },
    },
  });
}

async function targetNameOf(on: Pick<Transaction, 'host'>, target: AuditTarget): Promise<string | null> {
  if (target.name !== null || target.kind !== 'host' || !isUuid(target.id)) return target.name;
  const host = await on.host.findUnique({ where: { id: target.id }, select: { displayName: true } });
  return host?.displayName ?? null;
}

/** A part of the service that does something by itself. */
export function systemActor(name: string): AuditActor {
  return { kind: 'system', id: null, name, ipAddress: null, requestId: null };
}

/** Somebody who ran a command, and so has the password of the database. Which person it was cannot be shown. */
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

/** The words of kinds and actions are written by `recordAuditEvent` alone, and so is the shape of details. */
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
