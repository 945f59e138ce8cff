import { z } from 'zod';
import { body, operationsFor } from '../operation.ts';

const { forViewers } = operationsFor('events');

/** Operations that stream changes. */
export const eventOperations = {
  streamEvents: forViewers('get', '/api/v1/events', {
    summary:
      'What changes, as server-sent events: host, pull_job, upload, feed, fleet and resync. Ends with the token. Fetch what you show after the stream has begun, and again what a resync names',
    headers: z.object({
      'last-event-id': z
        .string()
        .max(200)
        .optional()
        .describe('Continues after this event, or sends `resync` if it is too old.'),
    }),
    responses: {
      200: body(
        'text/event-stream; charset=utf-8',
        'The stream. Every event has an id; comments keep the connection alive.',
      ),
    },
    errors: ['rate_limited'],
  }),
};
