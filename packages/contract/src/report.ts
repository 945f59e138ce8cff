import { packageFamilies } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, queryFlag } from './field-types.ts';

/** Selects a family's collector. */
export const collectorQuerySchema = z.strictObject({
  os_family: z.enum(packageFamilies).describe('The family of the target host.'),
});

/** How to accept a report. */
export const reportQuerySchema = z.strictObject({
  force: queryFlag
    .optional()
    .describe('Import a report of another machine, or one older than the current snapshot, anyway.'),
});

/** The answer to an accepted report. `unchanged`: its content equals that of the host's last upload, also a report. */
export const acceptedReportSchema = z
  .strictObject({ report_id: id, status: z.enum(['queued', 'unchanged']) })
  .meta({ id: 'AcceptedReport' });

export type AcceptedReport = z.output<typeof acceptedReportSchema>;

/** The answer to a report that the client waited for. */
export const finishedReportSchema = z
  .strictObject({
    report_id: id,
    status: z.literal('done'),
    snapshot_id: id,
    counts: z
      .strictObject({
        critical_count: count,
        important_count: count,
        moderate_count: count,
        low_count: count,
        unrated_count: count,
        unfixed_count: count,
        known_exploited_count: count,
        waived_count: count,
        unknown_count: count,
        available_updates: count,
        needs_reboot: z.union([z.literal(0), z.literal(1)]),
        needs_restart: count,
      })
      .describe("The host's fields with the same names."),
  })
  .meta({ id: 'FinishedReport' });

export type FinishedReport = z.output<typeof finishedReportSchema>;

/** A report and its progress. */
export const reportSchema = z
  .strictObject({
    report_id: id,
    status: z.enum(['queued', 'done', 'rejected']),
    snapshot_id: id.nullable(),
    errors: z.array(
      z.strictObject({
        pointer: z
          .string()
          .describe('A line of the report: `line 12`; empty if no single line is the cause.'),
        detail: z.string(),
      }),
    ),
  })
  .meta({ id: 'Report' });

export type Report = z.output<typeof reportSchema>;
