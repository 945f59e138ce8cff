import { fixStates, gaps, packageManagers, severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, queryTags, text, timestamp } from './field-types.ts';
import { hostExportQuerySchema } from './host.ts';
import { upgradePlanSchema } from './upgrade-plan.ts';

/** Most hosts of one plan. */
export const mostPlannedHosts = 2_000;

/** Most hosts that a selection names by id: their ids fit into a request. */
export const mostNamedHosts = 1_500;

/** Content type of a playbook (RFC 9512). */
export const yamlType = 'application/yaml';

/** Content type of a shell script to save as a file. */
export const shellType = 'text/x-shellscript; charset=utf-8';

/** The filters of the list of hosts in a JSON body: also numbers and booleans in place of their texts. */
const hostFilterSchema = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, each]) => [
            name,
            typeof each === 'boolean' || typeof each === 'number' ? String(each) : each,
          ]),
        )
      : value,
  hostExportQuerySchema.omit({ sort: true }),
);

const selectionFields = {
  hosts: z
    .array(id)
    .min(1)
    .max(mostNamedHosts)
    .transform((ids) => [...new Set(ids)])
    .optional()
    .describe('Ids of hosts.'),
  tags: queryTags.optional().describe('Hosts with at least one of the tags.'),
  filter: hostFilterSchema
    .optional()
    .describe(
      'The filters of GET /hosts; {}: every host. Without approval_status, pending hosts are included.',
    ),
};

const optionFields = {
  upgrades: z
    .enum(['all', 'security'])
    .default('all')
    .describe('security: updates that the package manager calls security updates or that close a finding.'),
  versions: z
    .enum(['pinned', 'newest'])
    .default('pinned')
    .describe(
      'pinned: exactly the versions of the plan; fails where a repository has replaced one. newest: what the repositories offer at run time.',
    ),
  reboot: z
    .boolean()
    .default(false)
    .describe('Whether hosts may be rebooted. Otherwise what needs a reboot stays open.'),
  share: z
    .number()
    .min(0.01)
    .max(1)
    .default(0.8)
    .describe('The share of findings that the fewest moves close.'),
};

const oneSelection = {
  check: ({ hosts, tags, filter }: { hosts?: unknown; tags?: unknown; filter?: unknown }) =>
    [hosts, tags, filter].filter((each) => each !== undefined).length === 1,
  error: 'must have one of hosts, tags and filter, and only one',
};

/** Which hosts to plan, and how. */
export const planRequestSchema = z
  .strictObject({ ...selectionFields, ...optionFields })
  .refine(oneSelection.check, { error: oneSelection.error });

/** The same with the name under which the plan is kept. */
export const newSavedPlanSchema = z
  .strictObject({ name: text(1, 200), ...selectionFields, ...optionFields })
  .refine(oneSelection.check, { error: oneSelection.error });

/** The forms of a plan. */
export const planFormats = ['json', 'shell', 'ansible', 'csv'] as const;

/** The form of a plan, where the header `Accept` does not say it. */
export const planFormatSchema = z.strictObject({
  format: z.enum(planFormats).optional().describe('Takes precedence over the header Accept.'),
});

const optionsSchema = z.strictObject({
  upgrades: z.enum(['all', 'security']),
  versions: z.enum(['pinned', 'newest']),
  reboot: z.boolean(),
  share: z.number(),
});

const severity = z.enum(severities);

const openAdvisoriesSchema = z.strictObject({
  fix_state: z.enum(fixStates),
  reason: z.string().describe('Why they stay open, in words.'),
  advisories: count.describe('How many.'),
  known_exploited: count,
  worst_severity: severity,
  listed: z
    .array(
      z.strictObject({
        id: z.string(),
        severity,
        known_exploited: z.boolean(),
        packages: z.array(z.string()),
      }),
    )
    .describe('The most severe of them, at most 50; GET /hosts/{id}/plan lists all.'),
});

const { packages, left_out, closes, reboot, restarts, forensics_first } = upgradePlanSchema.shape;
const { snapshot_id, snapshot_received_at, updates_state } = upgradePlanSchema.shape;

/** Why a host has no plan, or what its plan may miss. */
export const planNoteCodes = [
  'no_report',
  'pending_approval',
  'retired',
  'package_lists_unknown',
  'package_manager_unknown',
  'report_outdated',
  'package_lists_outdated',
  'repository_failing',
  'repository_outdated',
  'feed_outdated',
  'no_feed',
  'release_eol',
  'packages_unchecked',
  'unsafe_names',
  'image_based',
  'no_playbook',
  'reboot_not_allowed',
  'reboot_unknown',
] as const;

/** Why scripts and playbooks of a plan leave a host out. */
export const notCoveredCodes = [
  'not_approved',
  'no_report',
  'machine_id_missing',
  'machine_id_shared',
  'machine_id_changed',
] as const;

const noteSchema = z.strictObject({ code: z.enum(planNoteCodes), detail: z.string() });

const plannedHostSchema = z
  .strictObject({
    host_id: id,
    display_name: z.string(),
    hostname: z.string(),
    inventory_name: z
      .string()
      .nullable()
      .describe('As in GET /inventory/ansible without filters; null: not in it.'),
    state: z
      .enum(['planned', 'nothing_to_do', 'not_plannable'])
      .describe('nothing_to_do: known to have nothing to upgrade or reboot. not_plannable: see notes.'),
    notes: z.array(noteSchema).describe('Why nothing can be planned, or what the plan may miss.'),
    not_covered: z
      .strictObject({ code: z.enum(notCoveredCodes), detail: z.string() })
      .nullable()
      .describe(
        'Why scripts and playbooks leave the host out, as of now, also in a saved plan: they change only a machine whose id no other host has or claims. null: they have it.',
      ),
    gaps: z.array(z.enum(gaps)),
    snapshot_id,
    snapshot_received_at,
    updates_state,
    package_manager: z.enum(packageManagers).nullable(),
    packages: packages.describe('What is upgraded or newly installed, by name.'),
    left_out,
    closes,
    stays_open: z.array(openAdvisoriesSchema).describe('By fix state: those nearest to a fix first.'),
    reboot,
    restarts,
    forensics_first,
    command: z.string().nullable().describe('What the shell script runs on the host; null: nothing.'),
  })
  .meta({ id: 'PlannedHost' });
/** One host of a plan. */
export type PlannedHost = z.output<typeof plannedHostSchema>;

const moveSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('upgrade'),
      source_name: z.string().describe('The source package.'),
      package_manager: z.enum(packageManagers),
      hosts: z.array(id),
      closes: count.describe('Findings that it closes by itself.'),
      enables: count.describe('Findings that a reboot in this list closes only together with it.'),
      urgent: count.describe('Of both, those that are critical or known to be exploited.'),
    }),
    z.strictObject({
      kind: z.literal('reboot'),
      host_id: id,
      closes: count,
      urgent: count,
    }),
  ])
  .meta({ id: 'PlanMove' });
/** An upgrade of one source package on all of its hosts, or a reboot of one host. */
export type PlanMove = z.output<typeof moveSchema>;

const movesSchema = z
  .strictObject({
    basis: z
      .enum(['overdue', 'due', 'with_fix'])
      .describe(
        'The findings with a published fix that count. overdue: those past their due date; due: none is, so those with a due date; with_fix: none has one, so all open ones.',
      ),
    findings: count.describe('How many count.'),
    closable: count.describe('Those of them that upgrades and reboots of this plan can close.'),
    target: count.describe('How many are to be closed.'),
    target_of: z
      .enum(['all', 'closable'])
      .describe('closable: the share of all cannot be reached; it is of those that can be closed.'),
    closed: count.describe('How many the moves close.'),
    moves: z.array(moveSchema).describe('Upgrades first, then reboots; of each the most useful first.'),
    at_least: count.describe(
      'No smaller number of moves closes as many; equal to the number of moves: proven.',
    ),
    blocked: z
      .array(
        z.strictObject({
          reason: z.enum([...fixStates, 'unsafe_name', 'no_reboot', 'not_plannable']),
          findings: count,
        }),
      )
      .describe('The findings that no move closes, by what is in the way.'),
  })
  .meta({ id: 'FewestMoves' });
/** The fewest moves that close a share of the findings of a plan. */
export type FewestMovesAnswer = z.output<typeof movesSchema>;

/** What upgrades of several hosts would do, as of the time it was made. */
export const planSchema = z
  .strictObject({
    made_at: timestamp,
    options: optionsSchema,
    totals: z.strictObject({
      hosts: count,
      planned: count,
      nothing_to_do: count,
      not_plannable: count,
      not_covered: count.describe('Hosts that scripts and playbooks leave out.'),
      packages: count.describe('Package changes, each host counted.'),
      closes: count.describe('Advisories that are closed, each host counted.'),
      closes_after_reboot: count,
      stays_open: count.describe('Advisories that stay open, each host counted.'),
      reboots_needed: count,
      reboots_unknown: count,
      restarts_unknown: count,
      forensics_first: count.describe('Hosts that are planned, and of which evidence is to be taken first.'),
    }),
    hosts: z.array(plannedHostSchema).describe('By display name.'),
    unknown_hosts: z.array(id).describe('Requested ids without a host.'),
    fewest_moves: movesSchema,
  })
  .meta({ id: 'Plan' });
/** A plan for several hosts. */
export type Plan = z.output<typeof planSchema>;

/** A kept plan without its content. */
export const savedPlanSchema = z
  .strictObject({
    id,
    name: z.string().nullable().describe('Null: it has hosts that the reader does not see.'),
    made_at: timestamp,
    made_by: z.string().nullable().describe('Who made it, at that time; null as `name`.'),
    selection: z
      .string()
      .nullable()
      .describe('Which hosts were selected, in words; null for readers who are limited to tags.'),
    options: optionsSchema,
    hosts: count.describe('The hosts in it that still exist for the reader.'),
  })
  .meta({ id: 'SavedPlan' });
/** A kept plan without its content. */
export type SavedPlan = z.output<typeof savedPlanSchema>;

/** A kept plan with its content as of the time it was made. */
export const savedPlanDetailSchema = z
  .strictObject({
    ...savedPlanSchema.shape,
    deleted_hosts: count
      .nullable()
      .describe('Hosts of the plan that were deleted since; null for readers who are limited to tags.'),
    complete: z
      .boolean()
      .describe(
        'Whether the reader sees all of its hosts that still exist. Otherwise only others can delete the plan.',
      ),
    plan: planSchema,
  })
  .meta({ id: 'SavedPlanDetail' });

const progressHostSchema = z
  .strictObject({
    host_id: id,
    display_name: z.string(),
    state: z
      .enum(['done', 'open', 'not_known', 'not_reported', 'nothing_planned', 'not_plannable'])
      .describe(
        'done: every planned package has its version, every advisory to be closed is closed, and the planned reboot is known to have happened. not_known: all of this, but whether the reboot happened is not known. not_reported: no report since the plan was made. not_plannable: as in the plan.',
      ),
    reported_at: timestamp.nullable().describe('The newest report that counts, also an unchanged one.'),
    packages_done: count,
    packages_open: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          to_version: z.string(),
          installed_version: z.string().nullable().describe('null: not installed.'),
        }),
      )
      .describe('Planned packages whose version is still lower.'),
    closed: count.describe('Advisories of the plan that are closed now.'),
    still_open: z
      .array(z.strictObject({ id: z.string(), severity, fix_state: z.enum(fixStates), reason: z.string() }))
      .describe('Advisories that the plan would have closed and that are open, and why.'),
    reboot_state: z.enum(['needed', 'not_needed', 'unknown']),
    reboot_unknown: z
      .string()
      .nullable()
      .describe(
        'Why it is not known whether a reboot is due, as in the kernel posture of the host; null if it is known, or without a report since.',
      ),
    gaps: z.array(z.enum(gaps)),
  })
  .meta({ id: 'PlanProgressHost' });
/** How far one host of a kept plan is. */
export type PlanProgressHost = z.output<typeof progressHostSchema>;

/** How far a kept plan is, by what hosts reported since. */
export const planProgressSchema = z
  .strictObject({
    made_at: timestamp,
    as_of: timestamp,
    totals: z.strictObject({
      done: count,
      open: count,
      not_known: count,
      not_reported: count,
      nothing_planned: count,
      not_plannable: count,
    }),
    hosts: z.array(progressHostSchema).describe('By display name.'),
  })
  .meta({ id: 'PlanProgress' });
/** How far a kept plan is. */
export type PlanProgress = z.output<typeof planProgressSchema>;
