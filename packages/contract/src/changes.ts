import { severities } from '@plimsoll/model';
import { z } from 'zod';
import { id, queryFlag, queryTime, timestamp } from './field-types.ts';

const severity = z.enum(severities);

const sideSchema = z
  .strictObject({
    at: timestamp.nullable().describe('The time asked for; null where a snapshot was, or nothing.'),
    snapshot_id: id
      .nullable()
      .describe('The newest snapshot that had come by then; null: the host has none.'),
    received_at: timestamp.nullable(),
    before_first_snapshot: z
      .boolean()
      .describe('The time lies before the first snapshot, and that one is taken instead.'),
  })
  .meta({ id: 'ChangesSide' });

const packageChangeSchema = z
  .strictObject({
    kind: z
      .enum(['installed', 'removed', 'upgraded', 'downgraded', 'replaced'])
      .describe('replaced: another version that cannot be compared, or another build of the same.'),
    name: z.string(),
    architecture: z.string(),
    from_version: z.string().nullable(),
    to_version: z.string().nullable(),
  })
  .meta({ id: 'ChangedPackage' });

const findingFields = {
  name: z.string(),
  architecture: z.string(),
  severity: severity.describe('The worst of the advisories listed.'),
  known_exploited: z.boolean(),
};

const advisoryFields = {
  id: z.string(),
  severity,
  fixed_version: z.string().nullable(),
  known_exploited: z.boolean(),
};

const openedSchema = z
  .strictObject({
    ...findingFields,
    installed_version: z.string().describe('At the later time.'),
    advisories: z.array(
      z.strictObject({
        ...advisoryFields,
        reason: z
          .enum(['package_installed', 'package_changed', 'kernel_changed', 'advisory_published'])
          .describe('advisory_published: it reached us after the earlier time.'),
      }),
    ),
  })
  .meta({ id: 'OpenedFinding' });

const closedSchema = z
  .strictObject({
    ...findingFields,
    from_version: z.string(),
    to_version: z.string().nullable().describe('null: it is not installed any more.'),
    advisories: z.array(
      z.strictObject({
        ...advisoryFields,
        reason: z
          .enum(['package_removed', 'package_changed', 'kernel_changed', 'advisory_withdrawn'])
          .describe('kernel_changed: another kernel runs.'),
      }),
    ),
  })
  .meta({ id: 'ClosedFinding' });

/** What came and went on a host between two snapshots. */
export const hostChangesBetweenSchema = z
  .strictObject({
    from: sideSchema,
    to: sideSchema,
    packages: z.array(packageChangeSchema).describe('By name and architecture.'),
    opened: z
      .array(openedSchema)
      .describe('Per package, the advisories that are open at the later time and were not at the earlier.'),
    closed: z.array(closedSchema).describe('The other way round. Both the most severe first.'),
  })
  .meta({ id: 'HostChanges' });

/** What `hostChangesBetweenSchema` lets through. */
export type HostChanges = z.output<typeof hostChangesBetweenSchema>;

/** Between which times, or which snapshots; those win. */
export const changesQuerySchema = z.strictObject({
  from: queryTime.optional().describe('Default: the first snapshot.'),
  to: queryTime.optional().describe('Default: now.'),
  from_snapshot: id.optional(),
  to_snapshot: id.optional(),
  include_hidden: queryFlag.optional().describe('Severity none (negligible, unimportant), too.'),
});
