import { z } from 'zod';
import { auditEventSchema, auditEventsQuerySchema } from '../audit-event.ts';
import { defineOperation, page } from '../operation.ts';

/** Operations on the audit log. */
export const auditOperations = {
  listAuditEvents: defineOperation({
    method: 'get',
    path: '/api/v1/audit-events',
    summary: 'Who did what, newest first',
    tag: 'audit',
    auth: 'user',
    role: 'admin',
    query: auditEventsQuerySchema,
    responses: { 200: page(z.array(auditEventSchema), 'The events.') },
  }),
};
