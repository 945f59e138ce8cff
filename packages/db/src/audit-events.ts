import type { Database, Transaction } from './database.ts';
import { isUuid, newId } from './uuid.ts';

/** What the audit log tells of; a closed list that grows with what can be done. */
export const auditActions = ['ssh.host_key_changed', 'ssh.host_key_accepted', 'ssh.key_rotated'] as const;
export type AuditAction = (typeof auditActions)[number];

/** Who did something. */
export interface AuditActor {
  /** Null: the service itself. */
  readonly id: string | null;
  /** An e-mail address, or the part of the service. */
  readonly name: string;
  readonly ipAddress: string | null;
}

/** Something that happened. */
export interface NewAuditEvent {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly hostId: string | null;
  /** What else there is to say, as JSON; nothing secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** An entry of the audit log. */
export interface AuditEvent extends NewAuditEvent {
  readonly id: string;
  readonly at: Date;
  /** The host's display name then; null where it is about no host. */
  readonly hostName: string | null;
}

/** Reading the audit log. */
export interface AuditStore {
  /** Newest first; `before` is the id that the page starts below. */
  list(page: { readonly limit: number; readonly before: string | null }): Promise<readonly AuditEvent[]>;
  count(): Promise<number>;
}

/** The audit log of one database. */
export function createAuditStore({ pool }: Database): AuditStore {
  return {
    async list({ limit, before }) {
      if (before !== null && !isUuid(before)) return [];
      const { rows } = await pool.query<AuditRow>(
        `SELECT id, at, action, actor_id, actor_name, ip_address, host_id, host_name, details FROM audit_events
         WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
        [before, limit],
      );
      return rows.map(toEvent);
    },
    async count() {
      const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM audit_events');
      return rows[0]?.n ?? 0;
    },
  };
}

/** Writes an entry, in the transaction of what it tells of: either both happened or neither. */
export async function recordAuditEvent(on: Pick<Transaction, 'query'>, event: NewAuditEvent): Promise<void> {
  await on.query(
    `INSERT INTO audit_events (id, action, actor_id, actor_name, ip_address, host_id, host_name, details)
     VALUES ($1, $2, $3, $4, $5, $6, (SELECT display_name FROM hosts WHERE id = $6), $7)`,
    [
      newId<string>(),
      event.action,
      event.actor.id,
      event.actor.name,
      event.actor.ipAddress,
      event.hostId,
      JSON.stringify(event.details),
    ],
  );
}

interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly ip_address: string | null;
  readonly host_id: string | null;
  readonly host_name: string | null;
  readonly details: NewAuditEvent['details'];
}

function toEvent(row: AuditRow): AuditEvent {
  const { id, at, action, details } = row;
  const actor = { id: row.actor_id, name: row.actor_name, ipAddress: row.ip_address };
  return { id, at, action, actor, hostId: row.host_id, hostName: row.host_name, details };
}
