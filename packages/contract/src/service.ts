import { z } from 'zod';

/** The process is alive. */
export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

/**
 * The service can work. The API accepts uploads while the queue is down, so a queue failure alone does not end
 * readiness.
 */
export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'degraded']),
    database: z.literal('up').optional(),
    migrations: z.literal('applied').optional(),
    queue: z.enum(['up', 'down']).optional(),
    failing_rounds: z.array(z.string()).optional().describe('Names of `rounds` in `GET /system`.'),
  })
  .describe('`status` alone, unless the request is for monitoring: with its token, or from the same machine.')
  .meta({ id: 'Readiness' });
