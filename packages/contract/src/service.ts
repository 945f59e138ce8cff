import { z } from 'zod';

/** The process lives. */
export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

/** The service can do its work. The API takes uploads with the queue down, too, so that alone does not end readiness. */
export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'degraded']),
    database: z.literal('up'),
    migrations: z.literal('applied'),
    queue: z.enum(['up', 'down']),
  })
  .meta({ id: 'Readiness' });
