import type { AuditAction, AuditActorKind, AuditDetails, AuditTargetKind } from '@plimsoll/model';
import type { Database, Transaction } from '../database.ts';
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

/** Guessing passwords must not fill the database: so many failures are noted in a minute, by all processes together. */
const failuresPerMinute = 60;

/** The audit log of one database. */
export function createAuditStore({ pool }: Database): AuditStore {
  return {
    async list(filters, { limit, before }) {
      if (before !== null && !isUuid(before)) return [];
      const { where, values } = conditionsOf(filters);
      const { rows } = await pool.query<AuditRow>(
        `SELECT * FROM audit_events WHERE ${where} AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2`,
        [before, limit, ...values],
      );
      return rows.map(toEvent);
    },
    async count(filters) {
      const { where, values } = conditionsOf(filters);
      const { rows } = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM audit_events WHERE ${where} AND $1::uuid IS NULL AND $2::int IS NULL`,
        [null, null, ...values],
      );
      return rows[0]?.n ?? 0;
    },
    async noteFailedLogin(actor, userId) {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM (
           SELECT FROM audit_events WHERE action = 'user.login_failed' AND at > now() - interval '1 minute' LIMIT $1) noted`,
        [failuresPerMinute],
      );
      if ((rows[0]?.n ?? 0) >= failuresPerMinute) return;
      const target: AuditTarget | null =
        userId === null ? null : { kind: 'user', id: userId, name: actor.name };
      await recordAuditEvent(pool, { action: 'user.login_failed', actor, target, details: {} });
    },
    note: (event) => recordAuditEvent(pool, event),
    async dropBefore(before, limit) {
      const { rows } = await pool.query<{ dropped: string }>('SELECT drop_audit_events($1, $2) AS dropped', [
        before,
        limit,
      ]);
      return Number(rows[0]?.dropped ?? 0);
    },
  };
}

/** Writes an entry, in the transaction of what it tells of: either both happened or neither. */
export async function recordAuditEvent(on: Pick<Transaction, 'query'>, event: NewAuditEvent): Promise<void> {
  const { action, actor, target, details } = event;
  await on.query(
    `INSERT INTO audit_events (id, action, actor_kind, actor_id, actor_name, ip_address, request_id, target_kind,
                               target_id, target_name, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
             coalesce($10, CASE WHEN $8 = 'host' THEN (SELECT display_name FROM hosts WHERE id::text = $9) END), $11)`,
    [
      newId<string>(),
      action,
      actor.kind,
      actor.id,
      actor.name,
      actor.ipAddress,
      actor.requestId,
      target?.kind ?? null,
      target?.id ?? null,
      target?.name ?? null,
      JSON.stringify(details),
    ],
  );
}

/** A part of the service that does something by itself. */
export function systemActor(name: string): AuditActor {
  return { kind: 'system', id: null, name, ipAddress: null, requestId: null };
}

/** Whoever ran a command: to do that is to have the database's password. Which person that was, nobody could prove. */
export function cliActor(command: string): AuditActor {
  return { kind: 'cli', id: null, name: command, ipAddress: null, requestId: null };
}

/** Conditions on audit_events, with values from $3 on. */
function conditionsOf(filters: AuditFilters): {
  readonly where: string;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const conditions = ['true'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length + 2}`));
  };
  const { actor } = filters;
  add((value) => (isUuid(actor ?? '') ? `actor_id = ${value}::uuid` : `actor_name = ${value}`), actor);
  add((value) => `starts_with(action, ${value})`, filters.action);
  add((value) => `target_id = ${value}`, filters.targetId);
  add((value) => `at >= ${value}`, filters.from);
  add((value) => `at < ${value}`, filters.to);
  return { where: conditions.join(' AND '), values };
}

interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly actor_kind: AuditActorKind;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly ip_address: string | null;
  readonly request_id: string | null;
  readonly target_kind: AuditTargetKind | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: AuditDetails;
}

function toEvent(row: AuditRow): AuditEvent {
  const { id, at, action, details, target_kind: kind, target_id: targetId } = row;
  const actor: AuditActor = {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_name,
    ipAddress: row.ip_address,
    requestId: row.request_id,
  };
  const target = kind === null || targetId === null ? null : { kind, id: targetId, name: row.target_name };
  return { id, at, action, actor, target, details };
}
