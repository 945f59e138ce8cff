import { checkStates, roundStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, timestamp } from './field-types.ts';

/** The parts of an installation and the state of its work. */
export const systemSchema = z
  .strictObject({
    version: z.string(),
    public_url: z
      .string()
      .nullable()
      .describe('The setting `api.public_url`. Null: not set; messages and reports by mail have no links.'),
    database: z.strictObject({ version: z.string(), size_bytes: z.int().min(0) }),
    queue: z.strictObject({
      backend: z.enum(['redis', 'postgres']),
      state: z.enum(['up', 'down']),
      queues: z
        .array(z.strictObject({ name: z.string(), waiting: count, active: count, delayed: count }))
        .describe(
          'By name; empty while the queue is down. The queue only wakes workers: `work` counts the waiting work.',
        ),
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
          .describe('Why its current files cannot be used. The shown certificate is the last usable one.'),
      })
      .nullable()
      .describe('Of the API process that answers, if it serves TLS itself (`api.tls_cert_file`); else null.'),
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
          alive: z.boolean().describe('Seen in the last 45 seconds.'),
        }),
      )
      .describe('Processes seen in the last day that did not shut down cleanly, by app.'),
    backup: z
      .strictObject({
        last_ok_at: timestamp.nullable().describe('Null: there never was one.'),
        last_error: z.strictObject({ at: timestamp, message: z.string() }).nullable(),
      })
      .describe(
        'The last backups to a folder by `plimsoll backup`: its round `back up`. Others are not known.',
      ),
    rounds: z
      .array(
        z.strictObject({
          name: z.string(),
          state: z
            .enum(roundStates)
            .describe(
              '`failing`: its last run failed. `late`: its last success is too long ago. `never`: it has not run yet.',
            ),
          last_ok_at: timestamp.nullable().describe('To the minute. Null: it never succeeded.'),
          last_error: z
            .strictObject({ at: timestamp, message: z.string() })
            .nullable()
            .describe('Its last failure, also if it succeeded since. Null: it never failed.'),
        }),
      )
      .describe('What the service repeats by itself, by name; also what never ran.'),
    checks: z
      .array(
        z.strictObject({
          name: z.string(),
          state: z.enum(checkStates).describe('`unknown`: it could not be made.'),
          says: z.string(),
          do: z.string().nullable().describe('What to do. Null: nothing.'),
        }),
      )
      .describe(
        'What the API itself can check, worst first. `plimsoll doctor` also checks ports, modes of files and addresses of feeds.',
      ),
    disk: z
      .array(
        z.strictObject({
          folder: z.enum(['data', 'logs', 'downloads', 'backups']),
          free_bytes: z.int().min(0).nullable(),
          size_bytes: z.int().min(0).nullable(),
        }),
      )
      .describe("The file systems of this API's folders. Null: the API cannot see it."),
    work: z.array(
      z.strictObject({
        work: z.enum(['parse', 'match', 'pull', 'import']),
        waiting: count.describe('Work that is not finished.'),
        oldest_at: timestamp.nullable().describe('Start of the longest wait.'),
      }),
    ),
    failures: z
      .strictObject({
        rejected_uploads: count,
        failed_pulls: count,
        failed_imports: count,
        failed_feeds: count.describe('Feeds whose last sync failed.'),
      })
      .describe('In the last 24 hours.'),
  })
  .meta({ id: 'System' });

export type System = z.output<typeof systemSchema>;
