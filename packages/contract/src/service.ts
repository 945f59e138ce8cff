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
    database: z.literal('up'),
    migrations: z.literal('applied'),
    queue: z.enum(['up', 'down']),
  })
  .meta({ id: 'Readiness' });
