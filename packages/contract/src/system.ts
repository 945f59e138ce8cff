import { z } from 'zod';
import { count, id, timestamp } from './field-types.ts';

/** What an installation consists of, and how its work goes. */
export const systemSchema = z
  .strictObject({
    version: z.string(),
    database: z.strictObject({ version: z.string(), size_bytes: z.int().min(0) }),
    queue: z.strictObject({
      backend: z.enum(['redis', 'postgres']),
      state: z.enum(['up', 'down']),
      queues: z
        .array(z.strictObject({ name: z.string(), waiting: count, active: count, delayed: count }))
        .describe('By name; empty while the queue is down. The queue is a bell: what waits is in `work`.'),
    }),
    certificate: z
      .strictObject({
        names: z.array(z.string()).describe('DNS names and IP addresses that it is valid for.'),
        issuer: z.string(),
        not_before: timestamp,
        not_after: timestamp,
        fingerprint_sha256: z.string(),
        reload_error: z
          .string()
          .nullable()
          .describe(
            'Why its files, as they are now, cannot be used. The certificate shown is the last usable one.',
          ),
      })
      .nullable()
      .describe(
        'Of the API process that answers, where it speaks TLS itself (`api.tls_cert_file`); else null.',
      ),
    instances: z
      .array(
        z.strictObject({
          id,
          app: z.string(),
          hostname: z.string(),
          pid: z.int(),
          version: z.string(),
          started_at: timestamp,
          last_seen_at: timestamp,
          alive: z.boolean().describe('Heard of in the last 45 seconds.'),
        }),
      )
      .describe('Processes heard of in the last day that did not end in order, by app.'),
    work: z.array(
      z.strictObject({
        work: z.enum(['parse', 'match', 'pull', 'import']),
        waiting: count.describe('Not at an end yet.'),
        oldest_at: timestamp.nullable().describe('Since when the oldest waits.'),
      }),
    ),
    failures: z
      .strictObject({
        rejected_uploads: count,
        failed_pulls: count,
        failed_imports: count,
        failed_feeds: count.describe('Whose last sync failed.'),
      })
      .describe('Of the last 24 hours.'),
  })
  .meta({ id: 'System' });

/** What `systemSchema` lets through. */
export type System = z.output<typeof systemSchema>;
