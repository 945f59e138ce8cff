import { packageFamilies } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, queryFlag } from './field-types.ts';

/** Which family's collector. */
export const collectorQuerySchema = z.strictObject({
  os_family: z.enum(packageFamilies).describe('The family of the host that it will run on.'),
});

/** How a report is to be taken. */
export const reportQuerySchema = z.strictObject({
  force: queryFlag
    .optional()
    .describe('Import a report of another machine, or one older than the current snapshot, anyway.'),
});

/** The answer to a report that was taken. `unchanged`: it says what the host's last upload, a report as well, said. */
export const acceptedReportSchema = z
  .strictObject({ report_id: id, status: z.enum(['queued', 'unchanged']) })
  .meta({ id: 'AcceptedReport' });

/** What `acceptedReportSchema` lets through. */
export type AcceptedReport = z.output<typeof acceptedReportSchema>;

/** The answer to a report that was waited for. */
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
      .describe('Of the host, as its fields of these names.'),
  })
  .meta({ id: 'FinishedReport' });

/** What `finishedReportSchema` lets through. */
export type FinishedReport = z.output<typeof finishedReportSchema>;

/** A report and how far it got. */
export const reportSchema = z
  .strictObject({
    report_id: id,
    status: z.enum(['queued', 'done', 'rejected']),
    snapshot_id: id.nullable(),
    errors: z.array(
      z.strictObject({
        pointer: z.string().describe('A line of the report: `line 12`; empty where it is none of its lines.'),
        detail: z.string(),
      }),
    ),
  })
  .meta({ id: 'Report' });

/** What `reportSchema` lets through. */
export type Report = z.output<typeof reportSchema>;
