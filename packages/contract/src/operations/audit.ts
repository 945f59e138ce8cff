import { z } from 'zod';
import { auditEventSchema, auditEventsQuerySchema } from '../audit-event.ts';
import { operationsFor, page } from '../operation.ts';

const { forAdmins } = operationsFor('audit');

/** Operations on the audit log. */
export const auditOperations = {
  listAuditEvents: forAdmins('get', '/api/v1/audit-events', {
    summary: 'Who did what, newest first',
    query: auditEventsQuerySchema,
    responses: { 200: page(z.array(auditEventSchema), 'The events.') },
  }),
};
