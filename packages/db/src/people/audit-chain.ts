import type { Database, PgTransaction } from '../core/database.ts';
import { inPgTransaction } from '../core/database.ts';

/** A link of the chain: an event with its position and hash. */
export interface SealedEvent {
  /** From 1 on, without gaps. */
  readonly position: number;
  /** SHA-256 in hexadecimal: of the previous hash, a line feed and `text`. */
  readonly hash: string;
  /** The event as a JSON object, exactly as it was hashed. */
  readonly text: string;
  readonly at: Date;
}

/** Where the audit log is exported to. */
export const auditExportTargets = ['file', 'syslog'] as const;
export type AuditExportTarget = (typeof auditExportTargets)[number];

/** One batch of an export. */
export interface ExportBatch {
  /** In the order of their positions; at least one. */
  readonly events: readonly SealedEvent[];
  /** How many events between the last exported one and these are gone, because retention dropped them. */
  readonly missed: number;
}

/** The chain of audit events. */
export interface AuditChainStore {
  /** Gives at most `most` new events their positions and hashes; returns their number. */
  seal(most: number): Promise<number>;
  /**
   * Passes the next events of a target to `send` and stores that the target has them, unless `send` rejects. Returns
   * their number; 0 if there are none or another process exports to this target now. After a crash between the two
   * steps the same events are sent again.
   */
  exportNext(
    target: AuditExportTarget,
    most: number,
    send: (batch: ExportBatch) => Promise<void>,
  ): Promise<number>;
}

/**
 * The text of the event `e` that its hash covers. The function `seal_audit_events` has the same; here it is repeated,
 * so that checking a chain does not depend on a function of the database under check. `TimeZone` must be UTC.
 */
export const eventText = `jsonb_build_object(
  'id', e.id, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', e.action, 'actor_kind', e.actor_kind,
  'actor_id', e.actor_id, 'actor_name', e.actor_name, 'ip_address', e.ip_address, 'request_id', e.request_id,
  'target_kind', e.target_kind, 'target_id', e.target_id, 'target_name', e.target_name, 'details', e.details
)::text`;

/** The chain of one database. */
export function createAuditChain({ pool }: Database): AuditChainStore {
  return {
    async seal(most) {
      const { rows } = await pool.query<{ sealed: number }>('SELECT seal_audit_events($1)::int AS sealed', [
        most,
      ]);
      return rows[0]?.sealed ?? 0;
    },
    async exportNext(target, most, send) {
      await pool.query(
        'INSERT INTO audit_exports (target, position) VALUES ($1, 0) ON CONFLICT (target) DO NOTHING',
        [target],
      );
      return inPgTransaction(pool, async (tx) => {
        const { rows } = await tx.query<{ position: string }>(
          'SELECT position FROM audit_exports WHERE target = $1 FOR UPDATE SKIP LOCKED',
          [target],
        );
        const from = rows[0]?.position;
        if (from === undefined) return 0;
        const events = await readSealed(tx, Number(from), most);
        const [first, last] = [events[0], events.at(-1)];
        if (first === undefined || last === undefined) return 0;
        await send({ events, missed: first.position - Number(from) - 1 });
        await tx.query('UPDATE audit_exports SET position = $2, exported_at = now() WHERE target = $1', [
          target,
          last.position,
        ]);
        return events.length;
      });
    },
  };
}

/** The events after a position, at most so many, in the order of their positions. */
export async function readSealed(
  on: Pick<PgTransaction, 'query'>,
  after: number,
  most: number,
): Promise<readonly SealedEvent[]> {
  const { rows } = await on.query<{ position: string; hash: string; text: string; at: Date }>(
    `SELECT e.position, encode(e.hash, 'hex') AS hash, ${eventText} AS text, e.at FROM audit_events e
     WHERE e.position > $1 ORDER BY e.position LIMIT $2`,
    [after, most],
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}
