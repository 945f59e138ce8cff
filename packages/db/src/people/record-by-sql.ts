import { newId, type PgTransaction } from '../core/database.ts';
import type { NewAuditEvent } from './audit-events.ts';

/**
 * `recordAuditEvent` for transactions that use pg only, because Prisma would make their statements slower
 * (docs/decisions/database-door.md).
 */
export async function recordAuditEventBySql(
  on: Pick<PgTransaction, 'query'>,
  { action, actor, target, details }: NewAuditEvent,
): Promise<void> {
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
