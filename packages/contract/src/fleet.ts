import {
  coverages,
  dueStates,
  feedFreshnesses,
  gaps,
  hostStatuses,
  onboardingModes,
  overallActions,
  patchRhythmStates,
  repositoriesStates,
  updatesStates,
} from '@plimsoll/model';
import { z } from 'zod';
import { exploitationUnknown } from './due-date.ts';
import { count, queryInteger, queryTags, timestamp } from './field-types.ts';

/** Counts per severity include only findings with a fix. */
const findingTotalsSchema = z
  .strictObject({
    critical: count,
    important: count,
    moderate: count,
    low: count,
    unrated: count,
    unfixed: count,
    known_exploited: count.describe('Also counted under their severity, or as unfixed.'),
    waived: count,
  })
  .meta({ id: 'FindingTotals' });

const hostsWithSchema = z
  .strictObject({
    findings: count.describe('Hosts with a finding that has a fix: `has_findings=true`.'),
    critical: count.describe('`finding_severity=critical`; likewise below.'),
    important: count,
    moderate: count,
    low: count,
    unrated: count,
    unfixed: count.describe('`unfixed=true`; likewise below.'),
    known_exploited: count,
    updates: count.describe('`has_updates=true`.'),
    disagreements: count.describe('`has_disagreements=true`.'),
    broken_packages: count
      .optional()
      .describe('`has_broken_packages=true`. Missing for days before it was counted.'),
  })
  .meta({ id: 'HostsWith' });

const totalFields = {
  hosts: count.describe('Approved hosts. Pending hosts are in no other number.'),
  pending_approvals: count.describe('`approval_status=pending`.'),
  findings: findingTotalsSchema.describe(
    'Sums over all hosts. `hosts_with` counts the hosts of each number.',
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

/** Fields that an earlier version did not record: null for its days, never zero. */
const knowledgeFields = {
  by_action: z.record(z.enum(overallActions), count).describe('Hosts by `overall_action`.'),
  by_repositories_state: z.record(z.enum(repositoriesStates), count),
  by_gap: z.record(z.enum(gaps), count).describe('Hosts with each gap: `gap=`. A host can have several.'),
  findings_unknown_hosts: count.describe(
    'Hosts whose number of findings is a lower bound: zero findings there do not mean "safe".',
  ),
  updates_unknown_hosts: count.describe('Hosts whose number of updates is not known.'),
};

const exploitedOfDay = count
  .nullable()
  .describe(
    'Null: CISA KEV had never been synced then, or its first import was not counted on all hosts yet.',
  );

/** The fleet's numbers stored per day. */
export const fleetTotalsSchema = z
  .strictObject({
    ...totalFields,
    findings: findingTotalsSchema
      .extend({ known_exploited: exploitedOfDay })
      .meta({ id: 'FindingTotalsOfDay' }),
    hosts_with: hostsWithSchema.extend({ known_exploited: exploitedOfDay }).meta({ id: 'HostsWithOfDay' }),
    by_action: knowledgeFields.by_action.nullable(),
    by_repositories_state: knowledgeFields.by_repositories_state.nullable(),
    by_gap: knowledgeFields.by_gap.nullable(),
    findings_unknown_hosts: knowledgeFields.findings_unknown_hosts.nullable(),
    updates_unknown_hosts: knowledgeFields.updates_unknown_hosts.nullable(),
  })
  .meta({ id: 'FleetTotals' });

export type FleetTotals = z.output<typeof fleetTotalsSchema>;

/**
 * The fleet's current numbers. Each equals the total of GET /hosts with `approval_status=approved` and the filter that
 * names it.
 */
export const fleetSummarySchema = z
  .strictObject({
    as_of: timestamp,
    ...totalFields,
    ...knowledgeFields,
    by_severity: z
      .record(
        z.enum(['critical', 'important', 'moderate', 'low', 'unrated']),
        z.strictObject({ with_fix: count, without_fix: count, hosts: count }).meta({ id: 'OpenOfSeverity' }),
      )
      .describe(
        'Open findings by the worst of their advisories with a fix, and by the worst of those without: one with both is in both. Hosts with either: `open_severity=`.',
      ),
    clear: z
      .strictObject({ known: count, as_far_as_known: count })
      .describe(
        'Hosts with nothing to do, `overall_action=none`: with `overall_known=true`, and with false.',
      ),
    overdue: z
      .strictObject({
        hosts: count.describe('`overdue=true`.'),
        findings: count,
        by_tag: z
          .array(z.strictObject({ tag: z.string(), hosts: count, findings: count }))
          .describe(
            'Hosts by each of their tags: `overdue=true&tag=`. Most findings first, then by tag; at most 200.',
          ),
        tags: count.describe('How many tags such hosts have: `by_tag` may have fewer.'),
        exploitation_unknown: exploitationUnknown,
      })
      .describe('Findings past their due dates; zero also if no policy of due dates is set.')
      .meta({ id: 'OverdueTotals' }),
    by_patch_rhythm: z
      .record(z.enum(patchRhythmStates), count)
      .describe('Hosts by the state of `patch_rhythm`: `patch_rhythm=`.'),
    by_os: z
      .array(z.strictObject({ os_name: z.string(), os_major: count, hosts: count }))
      .describe('Most hosts first. The name is empty if unknown.'),
    feeds: z
      .strictObject({
        oldest_updated_at: timestamp
          .nullable()
          .describe('Over the feeds in use; null if one was never synced or no feed is in use.'),
        by_state: z
          .strictObject({ never_synced: count, ok: count, failed: count })
          .describe('Results of the last syncs or imports; unrelated to the age of the data.'),
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
          .describe('Feeds for releases of approved hosts; oldest data first.'),
      })
      .meta({ id: 'FleetFeeds' }),
  })
  .meta({ id: 'FleetSummary' });

export type FleetSummary = z.output<typeof fleetSummarySchema>;

/** The fleet's numbers of one day. */
export const fleetDaySchema = z
  .strictObject({
    day: z.iso.date().describe('In UTC.'),
    totals: fleetTotalsSchema
      .nullable()
      .describe(
        'The last numbers recorded that day; null: the service did not run, or, with `tag`, did not count hosts by this tag.',
      ),
  })
  .meta({ id: 'FleetDay' });

export type FleetDay = z.output<typeof fleetDaySchema>;

/** The period of the trend. */
export const fleetTrendQuerySchema = z.strictObject({
  days: queryInteger(1, 3650).optional().describe('Including today; default 90.'),
  tag: queryTags
    .optional()
    .describe('Hosts with one of these tags, each host once, by the tags that it had on each day.'),
});
