import {
  coverages,
  dueStates,
  feedFreshnesses,
  gaps,
  hostStatuses,
  onboardingModes,
  overallActions,
  repositoriesStates,
  updatesStates,
} from '@plimsoll/model';
import { z } from 'zod';
import { count, queryInteger, timestamp } from './field-types.ts';

/** Findings by severity are those that have a fix, as everywhere. */
const findingTotalsSchema = z
  .strictObject({
    critical: count,
    important: count,
    moderate: count,
    low: count,
    unrated: count,
    unfixed: count,
    known_exploited: count.describe('They are counted under their severity, or as unfixed, too.'),
    waived: count,
  })
  .meta({ id: 'FindingTotals' });

const hostsWithSchema = z
  .strictObject({
    findings: count.describe('With a finding that has a fix: `has_findings=true`.'),
    critical: count.describe('`finding_severity=critical`; likewise below.'),
    important: count,
    moderate: count,
    low: count,
    unrated: count,
    unfixed: count.describe('`unfixed=true`; likewise below.'),
    known_exploited: count,
    updates: count.describe('`has_updates=true`.'),
    disagreements: count.describe('`has_disagreements=true`.'),
  })
  .meta({ id: 'HostsWith' });

const totalFields = {
  hosts: count.describe('Approved ones. Those that wait for approval are in no other number.'),
  pending_approvals: count.describe('`approval_status=pending`.'),
  findings: findingTotalsSchema.describe(
    'Sums over all hosts. The hosts behind each number are under `hosts_with`.',
  ),
  hosts_with: hostsWithSchema.describe('Hosts with at least one.'),
  available_updates: count,
  disagreements: count,
  unknown_packages: count.describe('Installed packages without a verdict.'),
  by_status: z.record(z.enum(hostStatuses), count),
  by_coverage: z.record(z.enum(coverages), count),
  by_onboarding_mode: z.record(z.enum(onboardingModes), count),
  by_reboot_state: z.record(z.enum(dueStates), count),
  by_restart_state: z.record(z.enum(dueStates), count),
  by_updates_state: z.record(z.enum(updatesStates), count),
};

/** What days counted by an earlier version lack: there it is null, never zero. */
const knowledgeFields = {
  by_action: z.record(z.enum(overallActions), count).describe('Hosts by `overall_action`.'),
  by_repositories_state: z.record(z.enum(repositoriesStates), count),
  by_gap: z.record(z.enum(gaps), count).describe('Hosts with each gap: `gap=`. A host can have several.'),
  findings_unknown_hosts: count.describe(
    'Hosts whose number of findings is a lower bound: zero findings say nothing of them.',
  ),
  updates_unknown_hosts: count.describe('Hosts whose number of updates is not known.'),
};

/** The numbers of the fleet that are kept day by day. */
export const fleetTotalsSchema = z
  .strictObject({
    ...totalFields,
    by_action: knowledgeFields.by_action.nullable(),
    by_repositories_state: knowledgeFields.by_repositories_state.nullable(),
    by_gap: knowledgeFields.by_gap.nullable(),
    findings_unknown_hosts: knowledgeFields.findings_unknown_hosts.nullable(),
    updates_unknown_hosts: knowledgeFields.updates_unknown_hosts.nullable(),
  })
  .meta({ id: 'FleetTotals' });

/** What `fleetTotalsSchema` lets through. */
export type FleetTotals = z.output<typeof fleetTotalsSchema>;

/** The fleet now. Every number is that of a list: GET /hosts with `approval_status=approved` and the filter it is named by. */
export const fleetSummarySchema = z
  .strictObject({
    as_of: timestamp,
    ...totalFields,
    ...knowledgeFields,
    by_os: z
      .array(z.strictObject({ os_name: z.string(), os_major: count, hosts: count }))
      .describe('Most hosts first. The name is empty where it is not known.'),
    feeds: z
      .strictObject({
        oldest_updated_at: timestamp
          .nullable()
          .describe('Of those in use; null where one never synced, or none is in use.'),
        by_state: z
          .strictObject({ never_synced: count, ok: count, failed: count })
          .describe('How the last syncs or imports went, which says nothing of the age of the data.'),
        by_freshness: z.strictObject({ never_synced: count, current: count, outdated: count }),
        in_use: z
          .array(
            z.strictObject({
              id: z.string(),
              state: z.enum(['never_synced', 'ok', 'failed']),
              freshness: z.enum(feedFreshnesses),
              stale_after_seconds: count,
              import_only: z.boolean(),
              updated_at: timestamp.nullable(),
              hosts: count,
            }),
          )
          .describe('Those that speak for a release that approved hosts run; the oldest first.'),
      })
      .meta({ id: 'FleetFeeds' }),
  })
  .meta({ id: 'FleetSummary' });

/** What `fleetSummarySchema` lets through. */
export type FleetSummary = z.output<typeof fleetSummarySchema>;

/** The fleet on one day. */
export const fleetDaySchema = z
  .strictObject({
    day: z.iso.date().describe('In UTC.'),
    totals: fleetTotalsSchema
      .nullable()
      .describe('As they stood when the day was last looked at; null: the service did not run that day.'),
  })
  .meta({ id: 'FleetDay' });

/** What `fleetDaySchema` lets through. */
export type FleetDay = z.output<typeof fleetDaySchema>;

/** How far back. */
export const fleetTrendQuerySchema = z.strictObject({
  days: queryInteger(1, 3650).optional().describe('Today included; 90 if missing.'),
});
