import { waiverEndCauses, waiverKinds } from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id, paging, queryTime, text, timestamp } from './field-types.ts';

/** The waiver that a finding or an advisory bears. */
export const bornWaiverSchema = z
  .strictObject({
    id,
    kind: z.enum(waiverKinds),
    created_by: z.string().describe('Whose decision it is.'),
    expires_at: timestamp,
  })
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
    purls: z
      .array(z.string())
      .describe('Purls: its advisories are covered only for these packages. Empty: for every package.'),
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
    purls: z
      .array(text(1, 1000))
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Only with advisories: purls of deb and rpm packages of known distributions, with or without version, for which alone they are waived.',
      ),
    hosts: z
      .array(id)
      .min(1)
      .max(1000)
      .transform((all) => [...new Set(all)])
      .optional(),
    tags: hostTags.optional(),
    all_hosts: z.literal(true).optional().describe('The whole fleet, also hosts that come later.'),
    reason: text(1, 2000).optional().describe('Required unless `check_only`; likewise below.'),
    ticket_url: ticketUrl.nullable().default(null),
    expires_at: queryTime.optional().describe('In the future, at most 366 days ahead.'),
    check_only: z
      .boolean()
      .default(false)
      .describe('Only counts what the waiver would concern, and creates none.'),
  })
  .superRefine(({ advisories, packages, purls, hosts, tags, all_hosts, ...rest }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((advisories === undefined) === (packages === undefined))
      issue('advisories', 'must be given, or else packages, and not both');
    if (purls !== undefined && advisories === undefined) issue('purls', 'needs advisories');
    const scopes = [hosts, tags, all_hosts].filter((each) => each !== undefined);
    if (scopes.length !== 1) issue('hosts', 'must be given, or else tags or all_hosts, and only one of them');
    if (tags?.length === 0) issue('tags', 'must have at least 1 entries');
    for (const name of ['reason', 'expires_at'] as const)
      if (rest[name] === undefined && !rest.check_only) issue(name, 'must be given');
  });

/** What a new waiver would concern, by the last counts. */
export const waiverPreviewSchema = z
  .strictObject({
    matched_findings: count.describe('As in a waiver.'),
    matched_hosts: count,
    uncounted_hosts: count.describe(
      'Approved hosts in its scope without a report, or not counted yet: what it would concern there is not known.',
    ),
    partly_known_hosts: count.describe(
      'Approved hosts in its scope with a report, of which not all findings are known: it may concern more there.',
    ),
  })
  .meta({ id: 'WaiverPreview' });

export type WaiverPreview = z.output<typeof waiverPreviewSchema>;

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
  kind: z.enum(waiverKinds).optional(),
  scope: z.enum(['hosts', 'tags', 'all_hosts']).optional().describe('How its hosts are named.'),
  host: id.optional().describe('Those that apply to this host.'),
  names: text(1, 300).optional().describe('Those that name exactly this advisory, CVE or package.'),
  q: text(1, 200)
    .optional()
    .describe('A part of what it covers, its reason, ticket or author. Ignores case.'),
  ...paging,
});
