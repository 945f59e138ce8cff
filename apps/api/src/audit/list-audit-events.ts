import type { AuditEvent, Operations } from '@plimsoll/contract';
import type { AuditEvent as StoredEvent } from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Handler } from '../http/operation-request.ts';
import { pageOf } from '../http/page.ts';

const defaultLimit = 100;
const cursorSchema = z.uuid();

/** GET /audit-events */
export const listAuditEvents: Handler<Operations['listAuditEvents']> = async (
  { query, origin },
  { stores },
) => {
  const limit = query.limit ?? defaultLimit;
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor, cursorSchema);
  const [found, total] = await Promise.all([
    stores.audit.list({ limit: limit + 1, before }),
    stores.audit.count(),
  ]);
  const { rows, headers } = pageOf(found, {
    limit,
    total,
    cursorOf: ({ id }) => encodeCursor(id),
    place: { origin, path: '/api/v1/audit-events', query },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(eventAnswer) };
};

function eventAnswer({ id, at, action, actor, hostId, hostName, details }: StoredEvent): AuditEvent {
  return {
    id,
    at: at.toISOString(),
    action,
    actor_id: actor.id,
    actor_name: actor.name,
    ip_address: actor.ipAddress,
    host_id: hostId,
    host_name: hostName,
    details: { ...details },
  };
}
