import type { AuditEvent } from '@plimsoll/contract';
import type { AuditFilters, AuditEvent as StoredEvent } from '@plimsoll/db';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';

/** GET /audit-events */
export const listAuditEvents: Handler<'listAuditEvents'> = async (request, { stores }) => {
  const { actor, action, target_id: targetId, from, to } = request.query;
  const page = askedPage(request, '/api/v1/audit-events', z.uuid());
  const filters: AuditFilters = given({ actor, action, targetId, from, to });
  const [found, total] = await Promise.all([
    stores.audit.list(filters, { limit: page.limit + 1, before: page.after }),
    stores.audit.count(filters),
  ]);
  const { rows, headers } = page.of(found, total, ({ id }) => id);
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
