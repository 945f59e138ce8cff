import { fixStates, gaps, severities, severitySources } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, installedFields, paging, queryFlag, text, timestamp } from './field-types.ts';
import { bornWaiverSchema } from './waiver.ts';

const severity = z.enum(severities);
/** From 0 to 1; null: not known. */
export const probability = z.number().min(0).max(1).nullable();

/** A vendor's id as used in a path: `DSA-5724-1`, `RHSA-2024:1234`. */
export const advisoryId = text(1, 200);

/** The number of approved hosts that have a finding. Findings with severity `none` (negligible) do not count. */
export const affectedHostsSchema = z
  .strictObject({
    total: count,
    with_fix: count.describe('Hosts with a fix, installable or not.'),
  })
  .meta({ id: 'AffectedHostCounts' });

const recordFields = {
  feed: z.string(),
  kind: z
    .enum(['vulnerability', 'erratum'])
    .describe('vulnerability: one vulnerability judged per release; erratum: an update that ships fixes.'),
  title: z.string(),
  url: z.string(),
  severity: severity.nullable().describe('The worst severity of its packages; null without packages.'),
  published_at: timestamp.nullable(),
  modified_at: timestamp.nullable(),
  withdrawn_at: timestamp.nullable(),
  aliases: z.array(z.string()),
  cves: z.array(z.string()),
};

/** One record of a feed. */
export const advisorySchema = z
  .strictObject({
    id: z.string().describe("The vendor's id; several feeds can use the same."),
    ...recordFields,
    releases: z.array(z.string()),
    known_exploited: z.boolean(),
    epss: probability.describe('The highest of its CVEs.'),
    affected_hosts: affectedHostsSchema
      .nullable()
      .describe('Counted over the records of every feed with this id; null unless `include_hosts` is set.'),
  })
  .meta({ id: 'Advisory' });

export type Advisory = z.output<typeof advisorySchema>;

/** Filters of the list of advisories. */
export const advisoryQuerySchema = z.strictObject({
  q: text(1, 200).optional().describe('Part of the id, an alias, a CVE or the title; case-insensitive.'),
  severity: severity
    .optional()
    .describe('Exactly this severity; with `release`, the severity for that release.'),
  known_exploited: queryFlag.optional(),
  feed: text(1, 100).optional(),
  release: text(1, 100).optional().describe('Advisories that name packages of it: `debian:12`.'),
  affected: queryFlag
    .optional()
    .describe(
      'true: only advisories with a finding on an approved host, with `affected_hosts`. The counts are a moment old on small fleets, up to five minutes on the largest.',
    ),
  sort: z
    .enum(['-published_at', 'severity', '-affected_hosts'])
    .optional()
    .describe('Default: newest first. Worst first and most hosts first require `affected=true`.'),
  include_hosts: queryFlag
    .optional()
    .describe('Count the affected hosts of each advisory; takes a second on the largest fleets.'),
  ...paging,
});

const statedPackageSchema = z
  .strictObject({
    release: z.string(),
    name: z
      .string()
      .describe('apt: the source package; rpm: the binary package, unless `names` says otherwise.'),
    names: z
      .enum(['source', 'upstream_source'])
      .nullable()
      .describe(
        'rpm: the statement names a source package and covers everything built from it; upstream_source: it comes from the distribution that the release is rebuilt from.',
      ),
    severity,
    severity_source: z
      .enum(severitySources)
      .describe(
        "`vendor`: the vendor's rating; `cves`: derived from the vendor's ratings of its CVEs; `cvss`: from a CVSS score, the vendor gives no rating; `none`: neither, unrated.",
      ),
    fixed_version: z.string().nullable(),
    service: z
      .string()
      .nullable()
      .describe('The subscription service that delivers the fix; null: free for all.'),
    unfixed_reason: z.enum(['no_fix', 'will_not_fix', 'under_investigation']).nullable(),
    unfixed_detail: z.string().describe("The vendor's own word for the reason."),
    architectures: z.array(z.string()).describe('Empty: all.'),
    module: z.string().nullable().describe('A module stream; empty: builds outside modules; null: all.'),
    line: z
      .string()
      .nullable()
      .describe('A build line with its own versions, such as `el9_0`; null: the other builds.'),
    first_seen_at: timestamp.describe('When Plimsoll first stored it.'),
  })
  .meta({ id: 'StatedPackage' });

/** What a vendor advises without a fix. */
export const workaroundSchema = z
  .strictObject({
    text: z.string().describe("The vendor's text: to read, not to run."),
    source_url: z.string(),
    packages: z.array(z.string()).describe('What it is about; empty: all packages.'),
  })
  .meta({ id: 'Workaround' });

const advisoryRecordSchema = z
  .strictObject({
    ...recordFields,
    cvss: z.number().min(0).max(10).nullable(),
    cvss_vector: z.string().nullable(),
    workarounds: z.array(workaroundSchema).describe('What the vendor advises without a fix.'),
    packages: z.array(statedPackageSchema).describe('By release and name.'),
  })
  .meta({ id: 'AdvisoryRecord' });

const ssvcSchema = z
  .strictObject({
    exploitation: z.enum(['none', 'poc', 'active']).describe('`poc`: a proof of concept is public.'),
    automatable: z.boolean().describe('Whether an attacker can automate an attack from end to end.'),
    technical_impact: z
      .enum(['partial', 'total'])
      .describe('Whether an attacker gains some or all control over the software.'),
    decided_at: timestamp,
  })
  .describe("CISA's answers to the questions of SSVC.")
  .meta({ id: 'SsvcDecision' });

/** What CISA answered about a CVE. */
export const ssvc = ssvcSchema
  .nullable()
  .describe('Null: CISA has not answered, or the feed `cisa-ssvc` has no data.');

const cveFactsSchema = z
  .strictObject({
    id: z.string(),
    epss: probability,
    known_exploited: z.boolean(),
    exploited_since: z.iso.date().nullable().describe('When CISA listed it.'),
    ssvc,
  })
  .meta({ id: 'CveFacts' });

/** All records of all feeds with one id. */
export const advisoryDetailSchema = z
  .strictObject({
    id: z.string(),
    known_exploited: z.boolean(),
    epss: probability,
    cves: z.array(cveFactsSchema),
    affected_hosts: affectedHostsSchema,
    unknown_hosts: count.describe(
      'Approved hosts that the advisory could affect but that cannot be judged: no finding there does not mean "not affected". They can include affected hosts.',
    ),
    records: z.array(advisoryRecordSchema).min(1).describe('One record per feed that has it, newest first.'),
  })
  .meta({ id: 'AdvisoryDetail' });

export type AdvisoryDetail = z.output<typeof advisoryDetailSchema>;

/** The age of the advisories that a host is judged by, in lists that give a reason why it cannot be judged. */
export const feedUpdatedAt = timestamp
  .nullable()
  .describe(
    'The age of the data of the feed for its release; null: no feed covers it, or it was never read.',
  );

/** Fields of a host in a list of affected hosts or hosts with a package. */
export const listedHostFields = {
  host_id: id,
  display_name: z.string(),
  hostname: z.string(),
  os_name: z.string(),
  os_version: z.string(),
  tags: z.array(z.string()),
};

const affectedPackageSchema = z
  .strictObject({
    ...installedFields,
    severity: severity.describe('The severity of this advisory for the package.'),
    fixed_version: z.string().nullable(),
    fix_state: z.enum(fixStates),
    candidate_version: z.string().nullable(),
    advisory_ids: z
      .array(z.string())
      .describe('The records that make it a finding: this one, or the records that replace an erratum.'),
    waiver: bornWaiverSchema
      .optional()
      .describe('Present if all of these records are waived for the package: then it asks for nothing.'),
  })
  .meta({ id: 'AffectedPackage' });

/** A host that has a finding of the advisory. */
export const affectedHostSchema = z
  .strictObject({ ...listedHostFields, packages: z.array(affectedPackageSchema) })
  .meta({ id: 'AffectedHost' });

export type AffectedHost = z.output<typeof affectedHostSchema>;

/** A host that an advisory could affect and that cannot be judged. */
export const unjudgedHostSchema = z
  .strictObject({
    ...listedHostFields,
    reason: z.enum(gaps).describe('Why no finding there does not mean "not affected".'),
    feed_updated_at: feedUpdatedAt,
  })
  .meta({ id: 'UnjudgedHost' });

export type UnjudgedHost = z.output<typeof unjudgedHostSchema>;

const affectedHostFields = {
  include_hidden: queryFlag.optional().describe('Include severity none (negligible, unimportant).'),
};

/** Filters of the list of affected hosts. */
export const affectedHostQuerySchema = z.strictObject({ ...affectedHostFields, ...paging });

/** Filters of the export of all affected hosts. */
export const affectedHostExportQuerySchema = z.strictObject(affectedHostFields);
