import {
  approvalStatuses,
  brokenStates,
  coverages,
  dueStates,
  exposureSources,
  gaps,
  hostExposures,
  hostStatuses,
  onboardingModes,
  osFamilies,
  overallActions,
  patchRhythmStates,
  repositoriesStates,
  updatesStates,
} from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id, paging, queryFlag, queryInteger, text, timestamp } from './field-types.ts';
import { rebootReasonsSchema, servicesToRestartSchema } from './kernel-posture.ts';
import { patchRhythmSchema } from './patch-rhythm.ts';
import { sshAccessSchema } from './ssh-access.ts';
import { frequencyMinutes, port, sshUser } from './ssh-fields.ts';

const hostFields = {
  id,
  onboarding_mode: z.enum(onboardingModes),
  approval_status: z.enum(approvalStatuses),
  display_name: z.string(),
  hostname: z.string(),
  os_family: z.enum(osFamilies),
  os_name: z.string(),
  os_major: count,
  os_version: z.string(),
  architecture: z.string(),
  status: z.enum(hostStatuses),
  overall_action: z.enum(overallActions),
  critical_count: count,
  important_count: count,
  moderate_count: count,
  available_updates: count.describe('Rows of packages/upgradable that are not phased.'),
  phased_updates: count.describe('Updates that their publisher offers to other hosts first.'),
  needs_reboot: z.union([z.literal(0), z.literal(1)]),
  needs_restart: count,
  last_seen_at: timestamp,
  created_at: timestamp,
  retired_at: timestamp
    .nullable()
    .describe('When it was retired; such hosts are listed only with `retired=true`. Null: it is in service.'),
  low_count: count,
  unrated_count: count,
  unfixed_count: count,
  known_exploited_count: count,
  waived_count: count,
  unknown_count: count,
  gaps: z
    .array(z.enum(gaps))
    .describe('Why the data of the host may be incomplete, sorted. Empty: everything is known.'),
  overall_known: z
    .boolean()
    .describe('Whether everything is known: `gaps` is empty. Else `none` means clear as far as known.'),
  unknown_fields: z
    .array(z.string())
    .describe(
      'Names of the numbers that are not known: zero does not mean none, and more means at least that.',
    ),
  disagreement_count: count.describe("The number of the host's disagreements."),
  broken_count: count.describe('The number of packages whose installation did not end.'),
  updates_state: z.enum(updatesStates),
  repositories_state: z.enum(repositoriesStates),
  repository_error: z
    .string()
    .describe(
      "What the host's tool says about a repository that it cannot read or verify; empty: none is known to fail.",
    ),
  reboot_state: z.enum(dueStates),
  restart_state: z.enum(dueStates),
  coverage: z.enum(coverages),
  machine_id_conflict_with: id.nullable(),
  tags: z.array(z.string()),
  ip_address: z.string().nullable(),
  feed_updated_at: timestamp.nullable(),
  snapshot_collected_at: timestamp
    .nullable()
    .describe('When the snapshot was collected; a report without a change adds none.'),
  reported_at: timestamp
    .nullable()
    .describe(
      'When the newest report was made, also one without a change: everything stored is as of then. null: no report yet.',
    ),
  stale_after_seconds: count.describe(
    'Without a report for this time it is `stale`: three of its intervals, or `hosts.manual_stale_days`.',
  ),
  exposure: z.enum(hostExposures).describe('Whether the host can be reached from the internet.'),
  due_at: timestamp
    .nullable()
    .describe('The earliest due date of an open finding; null: none, or no policy of due dates is set.'),
  overdue_count: count.describe('Findings past their due date.'),
};

/** A host in lists. */
export const hostSchema = z
  .strictObject({
    ...hostFields,
    reboot_reasons: rebootReasonsSchema
      .optional()
      .describe(
        'As in its kernel posture; only with `include_reasons`. A host of which it is not known whether it needs a reboot can have some, too: its sources contradict each other.',
      ),
    reboot_unknown: z
      .string()
      .nullable()
      .optional()
      .describe('Likewise; null unless it is not known whether a reboot is needed.'),
    booted_at: timestamp
      .nullable()
      .optional()
      .describe(
        'Likewise; null if it is not known, or if the host is known to need neither a reboot nor restarts.',
      ),
    services_to_restart: servicesToRestartSchema
      .optional()
      .describe('Likewise; empty unless a restart is needed. Their number is `needs_restart`.'),
  })
  .meta({ id: 'Host' });

export type Host = z.output<typeof hostSchema>;

/** A single host. */
export const hostDetailSchema = z
  .strictObject({
    ...hostFields,
    ssh: sshAccessSchema.nullable().describe('SSH access to the host; null for other hosts.'),
    exposure_source: z
      .enum(exposureSources)
      .nullable()
      .describe('Who stated `exposure`; null: nobody, it is unknown.'),
    judged_as: z
      .string()
      .nullable()
      .describe(
        'The release whose advisories its packages are judged by: of a derivative its base. Null: none.',
      ),
    support_ends_at: timestamp.nullable().describe('Null if unknown.'),
    support_extended: z
      .boolean()
      .describe('Whether its subscription or its repositories show support after that of the release.'),
    tags_by_rule: z
      .array(z.string())
      .describe('Those of `tags` that only rules give it; they cannot be taken away by hand.'),
    broken_packages: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          version: z.string().describe('Empty: the package manager has none.'),
          state: z.enum(brokenStates),
        }),
      )
      .describe('The packages whose installation did not end: a fix that they bring does not count yet.'),
    repair: z
      .array(z.string())
      .describe(
        "Commands of the host's package manager that finish such installations, in the order to try them.",
      ),
    incomplete_facts: z
      .array(z.strictObject({ fact: z.string(), detail: z.string() }))
      .describe("What the host could not read in whole, with the tool's own words."),
    machine_id: z.string(),
    agent_version: z.string(),
    patch_rhythm: patchRhythmSchema,
  })
  .meta({ id: 'HostDetail' });

export type HostDetail = z.output<typeof hostDetailSchema>;

/** The counts of a host's findings and updates, in the order of columns. */
export const hostCountFields = [
  'critical_count',
  'important_count',
  'moderate_count',
  'low_count',
  'unrated_count',
  'unfixed_count',
  'known_exploited_count',
  'waived_count',
  'unknown_count',
  'disagreement_count',
  'broken_count',
  'available_updates',
  'phased_updates',
] as const satisfies readonly (keyof Host)[];

/** The fields hosts can be sorted by. */
export const hostSortFields = [
  'display_name',
  'hostname',
  'created_at',
  'last_seen_at',
  'reported_at',
  'os_name',
  ...hostCountFields,
  'needs_restart',
  'overall_action',
  'status',
  'os_major',
  'due_at',
  'overdue_count',
] as const satisfies readonly (keyof Host)[];

/** One of `hostSortFields`. */
export type HostSortField = (typeof hostSortFields)[number];

/** Filters and order of the host lists. */
const hostFilterFields = {
  q: text(1, 253).optional().describe('Part of the display name, hostname or address; case-insensitive.'),
  tag: text(1, 100).optional(),
  os_family: z.enum(osFamilies).optional(),
  status: z.enum(hostStatuses).optional(),
  approval_status: z.enum(['pending', 'approved']).optional(),
  retired: queryFlag.optional().describe('True: the retired hosts instead of those in service.'),
  onboarding_mode: z.enum(onboardingModes).optional(),
  severity: z
    .enum(['critical', 'important', 'moderate', 'low', 'unrated'])
    .optional()
    .describe('Hosts with a finding of at least this severity that has a fix.'),
  finding_severity: z
    .enum(['critical', 'important', 'moderate', 'low', 'unrated'])
    .optional()
    .describe('Hosts with a finding of exactly this severity that has a fix.'),
  open_severity: z
    .enum(['critical', 'important', 'moderate', 'low', 'unrated'])
    .optional()
    .describe(
      'Hosts with a finding of which this is the worst severity among its advisories with a fix, or among those without.',
    ),
  has_findings: queryFlag.optional().describe('Whether the host has a finding that has a fix.'),
  unfixed: queryFlag.optional().describe('Whether the host has a finding without a fix.'),
  known_exploited: queryFlag.optional().describe('Whether the host has a known exploited finding.'),
  os_name: text(0, 100).optional().describe('Exact name; empty: hosts whose OS is not known.'),
  os_major: queryInteger(0, 999_999_999).optional(),
  needs_reboot: queryFlag.optional(),
  reboot_state: z.enum(dueStates).optional(),
  restart_state: z.enum(dueStates).optional(),
  updates_state: z.enum(updatesStates).optional(),
  repositories_state: z.enum(repositoriesStates).optional(),
  gap: z.enum(gaps).optional().describe('Hosts with this gap.'),
  findings_known: queryFlag
    .optional()
    .describe('Whether all findings of the host are known; otherwise their numbers are lower bounds.'),
  overall_known: queryFlag.optional().describe('Whether everything of the host is known: it has no gap.'),
  updates_known: queryFlag.optional().describe('Whether the number of its updates is known.'),
  has_updates: queryFlag.optional().describe('Whether an update is offered to the host.'),
  has_broken_packages: queryFlag
    .optional()
    .describe('Whether the installation of a package of the host did not end.'),
  has_disagreements: queryFlag.optional().describe('Whether its package manager and its findings disagree.'),
  overall_action: z.enum(overallActions).optional(),
  coverage: z.enum(coverages).optional(),
  exposure: z.enum(hostExposures).optional(),
  overdue: queryFlag.optional().describe('Whether a finding is past its due date.'),
  patch_rhythm: z
    .enum(patchRhythmStates)
    .optional()
    .describe('The state of `patch_rhythm` of a single host. It is learned seconds after a report.'),
  machine_id_conflict: queryFlag
    .optional()
    .describe('Whether the host has the machine id of another host: `machine_id_conflict_with` is not null.'),
  sort: z
    .enum(hostSortFields.flatMap((field) => [field, `-${field}` as const]))
    .optional()
    .describe(
      'A field; a leading "-" sorts in descending order. Default: display_name. Hosts without due_at are last in ascending order.',
    ),
};

/** Filters, order and page of the list of hosts. */
export const hostQuerySchema = z
  .strictObject({
    ...hostFilterFields,
    ...paging,
    include_reasons: queryFlag
      .optional()
      .describe('Why hosts need a reboot, and which services need a restart; needs limit or cursor.'),
    offset: queryInteger(0, 1_000_000)
      .optional()
      .describe('The number of hosts to skip; requires limit, excludes cursor.'),
  })
  .refine(({ offset, limit }) => offset === undefined || limit !== undefined, {
    path: ['offset'],
    error: 'needs a limit',
  })
  .refine(
    ({ include_reasons, limit, cursor }) => include_reasons !== true || (limit ?? cursor) !== undefined,
    {
      path: ['include_reasons'],
      error: 'needs a limit or cursor',
    },
  )
  .refine(({ offset, cursor }) => offset === undefined || cursor === undefined, {
    path: ['offset'],
    error: 'must not be given together with cursor',
  });

/** Filters and order of the export of all hosts. */
export const hostExportQuerySchema = z.strictObject(hostFilterFields);

/** Filters of inventories for other programs, which contain approved hosts only and have no order. */
export const hostInventoryQuerySchema = hostExportQuerySchema.omit({
  sort: true,
  approval_status: true,
  retired: true,
});

/** The filters of GET /hosts by name, in a JSON body: values as text, numbers or booleans. */
const namedFilters = z
  .record(z.string().max(40), z.union([z.string().max(253), z.number(), z.boolean()]))
  .transform((filters) =>
    Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])),
  );

/** The filters of GET /hosts in a JSON body, parsed. */
export const hostFilterSchema = namedFilters
  .transform((filters, context) => {
    const { data, error } = hostExportQuerySchema.omit({ sort: true }).safeParse(filters);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message });
    return data ?? z.NEVER;
  })
  .meta({ description: 'The filters of GET /hosts by name: `{ "tag": "web", "needs_reboot": true }`.' });

/** The parsed filters of a stored selection; null if one of them no longer exists. */
export function parseHostFilter(
  filter: Readonly<Record<string, string>>,
): z.output<typeof hostFilterSchema> | null {
  return hostFilterSchema.safeParse(filter).data ?? null;
}

/** The same, checked and kept as text, for storing. */
export const storedHostFilterSchema = namedFilters
  .superRefine((filters, context) => {
    const { error } = hostExportQuerySchema.omit({ sort: true, retired: true }).safeParse(filters);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ description: 'The filters of GET /hosts by name: `{ "tag": "web", "needs_reboot": true }`.' });

/** The tags of a new host. */
export const newTags = hostTags
  .default([])
  .describe('A caller who is limited to tags must name one of them; a single one is added by itself.');

/** The exposure of a new host. */
export const newExposure = z
  .enum(hostExposures)
  .nullable()
  .default(null)
  .describe('Whether it can be reached from the internet. Null: not set by hand.');

/** A host whose reports are uploaded by hand. */
export const newManualHostSchema = z.strictObject({
  display_name: text(1, 200),
  hostname: text(1, 253),
  tags: newTags,
  exposure: newExposure,
});

/** Changeable fields of a host; from `ssh_user` on only for pulled hosts. */
export const hostChangesSchema = z.strictObject({
  display_name: text(1, 200).optional(),
  tags: hostTags.optional(),
  exposure: z
    .enum(hostExposures)
    .nullable()
    .optional()
    .describe('Null: not set by hand; a rule by tag or the registration token decides.'),
  ssh_user: sshUser.optional(),
  port: port.optional(),
  frequency_minutes: frequencyMinutes.optional(),
  pull_paused: z.boolean().optional().describe('Whether the schedule is stopped; pull-now still works.'),
});
