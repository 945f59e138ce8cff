import {
  dueAssumptions,
  dueClocks,
  duePresets,
  type Severity,
  severities,
  undatedReasons,
} from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, text, timestamp } from './field-types.ts';

/** The most rules of a policy of due dates. */
export const mostDueRules = 100;
/** The most rules that give hosts an exposure by tag. */
export const mostExposureRules = 200;
/** The longest time in days that a rule can give. */
export const longestDueDays = 3650;

const ratedSeverities = severities.filter((severity) => severity !== 'none') as Exclude<Severity, 'none'>[];

const tagsNote = 'Hosts with at least one of these tags. A reader who is limited to tags sees only its own.';

const dueRuleFields = {
  tags: hostTags.optional().describe(tagsNote),
  severity: z.enum(ratedSeverities).optional().describe('Advisories of exactly this severity.'),
  known_exploited: z.boolean().optional().describe('Whether the CVE is in CISA KEV.'),
  exploitation: z
    .enum(['active'])
    .optional()
    .describe("The CVE is in CISA KEV, or CISA's decision by SSVC calls it actively exploited."),
  exposure: z
    .enum(['public', 'internal'])
    .optional()
    .describe('A host whose exposure is `unknown` is `public`.'),
  decided: z.boolean().optional().describe('Whether CISA has decided about the CVE by SSVC.'),
  automatable: z.boolean().optional().describe("CISA's answer by SSVC."),
  impact: z.enum(['partial', 'total']).optional().describe("CISA's answer by SSVC."),
  days: z.int().min(1).max(longestDueDays).optional().describe('Days of 24 hours.'),
  next_upgrade: z.literal(true).optional().describe('Instead of `days`: with the next upgrade, at no date.'),
  clock: z
    .enum(dueClocks)
    .describe(
      '`published`: when the fixed version was first published; `installed`: when the host got the package version, but not before the advisory; `kev`: the day of the entry in CISA KEV, only with `known_exploited: true`; `detected`: the day of the first report of the host, but not before the advisory, or the day of the entry in CISA KEV if that is earlier.',
    ),
  forensics: z
    .boolean()
    .optional()
    .describe('Whether the host is to be examined for traces of an attack, before it is changed.'),
};

/** A rule in answers. */
const dueRuleSchema = z
  .strictObject({ ...dueRuleFields, tags: z.array(z.string()).optional().describe(tagsNote) })
  .meta({ id: 'DueRule' });

export type DueRule = z.output<typeof dueRuleSchema>;

const newDueRuleSchema = z
  .strictObject({
    ...dueRuleFields,
    tags: hostTags.refine((tags) => tags.length > 0, 'must name a tag').optional(),
  })
  .superRefine(({ days, next_upgrade, clock, known_exploited }, context) => {
    if ((days === undefined) === (next_upgrade === undefined))
      context.addIssue({ code: 'custom', path: ['days'], message: 'needs either days or next_upgrade' });
    if (clock === 'kev' && known_exploited !== true)
      context.addIssue({ code: 'custom', path: ['clock'], message: 'kev needs known_exploited: true' });
  });

/** The policy of due dates to put in force. */
export const newDuePolicySchema = z
  .strictObject({
    preset: z.enum(duePresets).optional(),
    rules: z
      .array(newDueRuleSchema)
      .max(mostDueRules)
      .optional()
      .describe('The first that applies counts. Empty: nothing is due.'),
  })
  .refine(({ preset, rules }) => (preset === undefined) !== (rules === undefined), {
    path: ['preset'],
    error: 'needs either preset or rules',
  });

/** Whether due dates by a policy may be too late, because it asks for exploitation by data that is not current. */
export const exploitationUnknown = z
  .boolean()
  .describe(
    'Whether a rule asks if a CVE is known to be exploited while CISA KEV was never synced or is outdated, or for `exploitation: active` while that is so of CISA SSVC: findings may then be due earlier than is said, and numbers of overdue ones are lower bounds.',
  );

/** The policy of due dates in force. */
export const duePolicySchema = z
  .strictObject({
    preset: z.enum(duePresets).nullable().describe('Null: own rules, or none.'),
    rules: z
      .array(dueRuleSchema)
      .describe('The first that applies counts. Empty: no policy is set, nothing is due.'),
    presets: z.record(z.enum(duePresets), z.array(dueRuleSchema)).describe('The rules of each preset.'),
    exploitation_unknown: exploitationUnknown,
    changed_at: timestamp.nullable(),
    changed_by: z
      .string()
      .nullable()
      .describe('The name of the user; null for a reader who is limited to tags.'),
    recount: z
      .strictObject({
        running: z.boolean(),
        pieces_left: count.describe(
          'Parts of the fleet that are still counted by an earlier policy or earlier data.',
        ),
      })
      .describe('Due dates of hosts follow a change of the policy within minutes.'),
  })
  .meta({ id: 'DuePolicy' });

export type DuePolicy = z.output<typeof duePolicySchema>;

const dueFlowSchema = z
  .strictObject({
    now: count.describe('Overdue now.'),
    after: count.describe('Overdue by the policy.'),
    become: count.describe('Overdue by the policy, and not now.'),
    stop: count.describe('Overdue now, and not by the policy.'),
  })
  .meta({ id: 'DueFlow' });

/** What a policy of due dates would change if it were put in force now. */
export const duePreviewSchema = z
  .strictObject({
    fleet: count.describe('Approved hosts whose findings are counted.'),
    compared: count.describe('Those of them that were counted by the policy.'),
    estimated: z
      .boolean()
      .describe('Whether only a sample was counted: then the numbers are estimates for the fleet.'),
    hosts: dueFlowSchema.describe('Hosts with at least one overdue finding.'),
    findings: dueFlowSchema,
    exploitation_unknown: exploitationUnknown.describe(
      'As of GET /policies/due-dates, of the policy in force or of this one.',
    ),
  })
  .meta({ id: 'DuePreview' });

export type DuePreview = z.output<typeof duePreviewSchema>;

const exposureRuleSchema = z.strictObject({
  tag: text(1, 100),
  exposure: z.enum(['public', 'internal']),
});

/** The rules to put in force that give hosts an exposure by tag. */
export const newExposureRulesSchema = z.strictObject({
  rules: z
    .array(exposureRuleSchema)
    .max(mostExposureRules)
    .describe('The first for a tag of the host counts.'),
});

/** The rules in force that give hosts an exposure by tag. */
export const exposureRulesSchema = z
  .strictObject({
    rules: z
      .array(exposureRuleSchema)
      .describe('A reader who is limited to tags sees the rules for its own.'),
    changed_at: timestamp.nullable(),
  })
  .meta({ id: 'ExposureRules' });

export type ExposureRules = z.output<typeof exposureRulesSchema>;

/** By when an open advisory is to be closed, and why. */
export const dueSchema = z
  .strictObject({
    at: timestamp.nullable().describe('Null: no date, for the reason in `undated`.'),
    undated: z.enum(undatedReasons).nullable(),
    rule: count.nullable().describe('The number of the rule in the policy, from 1; null if none applies.'),
    days: count.nullable(),
    clock: z.enum(dueClocks).nullable(),
    started_at: timestamp.nullable().describe('When the clock started.'),
    forensics: z.boolean(),
    cve: z.string().nullable().describe('Of several CVEs the one with the earliest date.'),
    assumptions: z.array(z.enum(dueAssumptions)).describe('What counted as true although it is not known.'),
  })
  .meta({ id: 'Due' });

export type Due = z.output<typeof dueSchema>;
