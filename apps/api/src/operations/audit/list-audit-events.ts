import type { AuditEvent } from '@plimsoll/contract';
import type { AuditFilters, AuditEvent as StoredEvent } from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';

const defaultLimit = 100;
const cursorSchema = z.uuid();

/** GET /audit-events */
export const listAuditEvents: Handler<'listAuditEvents'> = async ({ query, origin }, { stores }) => {
  const { limit = defaultLimit, cursor, from, to, ...exact } = query;
  const before = cursor === undefined ? null : decodeCursor(cursor, cursorSchema);
  const filters: AuditFilters = {
    ...(exact.actor === undefined ? {} : { actor: exact.actor }),
    ...(exact.action === undefined ? {} : { action: exact.action }),
    ...(exact.target_id === undefined ? {} : { targetId: exact.target_id }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const [found, total] = await Promise.all([
    stores.audit.list(filters, { limit: limit + 1, before }),
    stores.audit.count(filters),
  ]);
  const { rows, headers } = pageOf(found, {
    limit,
    total,
    cursorOf: ({ id }) => encodeCursor(id),
    place: {
      origin,
      path: '/api/v1/audit-events',
      query: { ...exact, limit: query.limit, from: from?.toISOString(), to: to?.toISOString() },
    },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(eventAnswer) };
};

function eventAnswer({ id, at, action, actor, target, details }: StoredEvent): AuditEvent {
  const host = target?.kind === 'host' ? target : null;
  return {
    id,
    at: at.toISOString(),
    action,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    ip_address: actor.ipAddress,
    request_id: actor.requestId,
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    host_id: host?.id ?? null,
    host_name: host?.name ?? null,
    // Stored with this type; only its arrays were read-only.
    details: structuredClone(details) as AuditEvent['details'],
  };
}
