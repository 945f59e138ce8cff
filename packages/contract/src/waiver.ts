import { waiverEndCauses, waiverKinds } from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id, paging, queryTime, text, timestamp } from './field-types.ts';

/** The waiver that a finding or an advisory bears. */
export const bornWaiverSchema = z
  .strictObject({ id, kind: z.enum(waiverKinds), expires_at: timestamp })
  .meta({ id: 'BornWaiver' });

/** A decision that what it covers is not to be acted on until it ends. */
export const waiverSchema = z
  .strictObject({
    id,
    kind: z
      .enum(waiverKinds)
      .describe('snoozed_until_fix covers only what has no fix, and ends when a fix of any of it appears.'),
    advisories: z
      .array(z.string())
      .describe(
        'Ids of advisories, and CVEs. A CVE covers an advisory if every CVE of it that is open on a package is waived.',
      ),
    packages: z.array(z.string()).describe('Names of source or binary packages.'),
    hosts: z.array(id).describe('Without those that do not exist for the caller.'),
    tags: z.array(z.string()),
    all_hosts: z.boolean(),
    reason: z.string(),
    ticket_url: z.string().nullable(),
    origin: z.string().nullable().describe('The VEX document from which it was imported.'),
    created_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    ended_at: timestamp.nullable().describe('null: it applies.'),
    end_cause: z.enum(waiverEndCauses).nullable(),
    ended_by: z.string().nullable(),
    matched_findings: count.describe(
      'Findings of hosts that exist for the caller of which it covers an advisory by itself; 0 after its end.',
    ),
    matched_hosts: count.describe('Hosts that have such a finding.'),
  })
  .meta({ id: 'Waiver' });

/** Parsed value of `waiverSchema`. */
export type Waiver = z.output<typeof waiverSchema>;

const names = z
  .array(text(1, 200))
  .min(1)
  .max(500)
  .transform((all) => [...new Set(all)]);

const ticketUrl = text(1, 2000).refine(isWebAddress, { error: 'must be an http or https address' });

function isWebAddress(value: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol);
  } catch {
    return false;
  }
}

/** A request for a new waiver. */
export const newWaiverSchema = z
  .strictObject({
    kind: z.enum(waiverKinds),
    advisories: names.optional().describe('Ids or aliases of advisories, and CVEs.'),
    packages: names.optional(),
    hosts: z
      .array(id)
      .min(1)
      .max(1000)
      .transform((all) => [...new Set(all)])
      .optional(),
    tags: hostTags.optional(),
    all_hosts: z.literal(true).optional().describe('The whole fleet, also hosts that come later.'),
    reason: text(1, 2000),
    ticket_url: ticketUrl.nullable().default(null),
    expires_at: queryTime.describe('In the future, at most 366 days ahead.'),
  })
  .superRefine(({ advisories, packages, hosts, tags, all_hosts }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((advisories === undefined) === (packages === undefined))
      issue('advisories', 'must be given, or else packages, and not both');
    const scopes = [hosts, tags, all_hosts].filter((each) => each !== undefined);
    if (scopes.length !== 1) issue('hosts', 'must be given, or else tags or all_hosts, and only one of them');
    if (tags?.length === 0) issue('tags', 'must have at least 1 entries');
  });

/** A change of a waiver. What it covers never changes. */
export const waiverChangesSchema = z.strictObject({
  reason: text(1, 2000).optional(),
  ticket_url: ticketUrl.nullable().optional(),
  expires_at: queryTime.optional().describe('In the future, at most 366 days ahead.'),
});

/** Filters of the list of waivers. */
export const waiversQuerySchema = z.strictObject({
  state: z
    .enum(['active', 'expiring', 'ended'])
    .optional()
    .describe('expiring: active, and ending within seven days. Default: all.'),
  ...paging,
});
