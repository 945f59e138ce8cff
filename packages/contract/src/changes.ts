import { historyResolutions, hostChangeCauses, severities } from '@plimsoll/model';
import { z } from 'zod';
import { id, queryFlag, queryTime, timestamp } from './field-types.ts';

const severity = z.enum(severities);

const sideSchema = z
  .strictObject({
    at: timestamp.nullable().describe('The requested time; null if a snapshot or nothing was requested.'),
    snapshot_id: id.nullable().describe('The newest snapshot received by then; null: the host has none.'),
    received_at: timestamp.nullable(),
    resolution: z
      .enum(historyResolutions)
      .nullable()
      .describe(
        'How exactly the time is known, as in Plimsoll-Resolution; day and month: the snapshot can be later than the time. null: the host has none.',
      ),
    before_first_snapshot: z
      .boolean()
      .describe('The time is before the first snapshot, which is used instead.'),
  })
  .meta({ id: 'ChangesSide' });

const packageChangeSchema = z
  .strictObject({
    kind: z
      .enum(['installed', 'removed', 'upgraded', 'downgraded', 'replaced'])
      .describe('replaced: another version that cannot be compared, or that counts as equal.'),
    name: z.string(),
    architecture: z.string(),
    from_version: z.string().nullable(),
    to_version: z.string().nullable(),
  })
  .meta({ id: 'ChangedPackage' });

const findingFields = {
  name: z.string(),
  architecture: z.string(),
  severity: severity.describe('The worst of the listed advisories.'),
  known_exploited: z.boolean(),
};

const advisoryFields = {
  id: z.string(),
  severity,
  fixed_version: z.string().nullable(),
  known_exploited: z.boolean(),
};

const cause = z
  .enum(hostChangeCauses)
  .describe(
    'What began or ended it: of several changes between the two times the last that began it, or the first that ended it. package_changed: installed, removed, or another version. kernel_booted: another kernel is running. advisory_published, advisory_changed, advisory_withdrawn: when Plimsoll imported it. source_changed: another record about the same CVEs counts now. rules_changed: Plimsoll judges it in another way, also because the host says something else of the same build: its repository, module stream or vendor. waived: a waiver covers it, or no longer does; the package is affected at both times.',
  );

const openedSchema = z
  .strictObject({
    ...findingFields,
    installed_version: z.string().describe('The version at the later time.'),
    advisories: z.array(
      z.strictObject({
        ...advisoryFields,
        cause,
      }),
    ),
  })
  .meta({ id: 'OpenedFinding' });

const closedSchema = z
  .strictObject({
    ...findingFields,
    from_version: z.string(),
    to_version: z.string().nullable().describe('null: no longer installed.'),
    advisories: z.array(
      z.strictObject({
        ...advisoryFields,
        cause,
      }),
    ),
  })
  .meta({ id: 'ClosedFinding' });

/** Package and finding changes of a host between two snapshots. */
export const hostChangesBetweenSchema = z
  .strictObject({
    from: sideSchema,
    to: sideSchema,
    packages: z.array(packageChangeSchema).describe('Sorted by name and architecture.'),
    opened: z
      .array(openedSchema)
      .describe(
        'Per package, the advisories that are open at the later time but not at the earlier one; most severe first.',
      ),
    closed: z
      .array(closedSchema)
      .describe(
        'Per package, the advisories that are open at the earlier time but not at the later one; most severe first.',
      ),
  })
  .meta({ id: 'HostChanges' });

export type HostChanges = z.output<typeof hostChangesBetweenSchema>;

/** The two times or snapshots to compare; snapshots take precedence. */
export const changesQuerySchema = z.strictObject({
  from: queryTime.optional().describe('Default: the first snapshot.'),
  to: queryTime.optional().describe('Default: now.'),
  from_snapshot: id.optional(),
  to_snapshot: id.optional(),
  include_hidden: queryFlag.optional().describe('Include severity none (negligible, unimportant).'),
});
