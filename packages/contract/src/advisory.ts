import { cveStateReasons, cveStates, fixStates, severities, severitySources } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, paging, queryFlag, text, timestamp } from './field-types.ts';
import { bornWaiverSchema } from './waiver.ts';

const severity = z.enum(severities);
const probability = z.number().min(0).max(1).nullable();

/** A vendor's id as used in a path: `DSA-5724-1`, `RHSA-2024:1234`. */
export const advisoryId = text(1, 200);

/** The number of approved hosts that have a finding. Findings with severity `none` (negligible) do not count. */
const affectedHostsSchema = z
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

/** Parsed value of `advisorySchema`. */
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

const advisoryRecordSchema = z
  .strictObject({
    ...recordFields,
    cvss: z.number().min(0).max(10).nullable(),
    cvss_vector: z.string().nullable(),
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

const ssvc = ssvcSchema
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

/** Parsed value of `advisoryDetailSchema`. */
export type AdvisoryDetail = z.output<typeof advisoryDetailSchema>;

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
    name: z.string(),
    architecture: z.string(),
    installed_version: z.string(),
    source_name: z.string(),
    source_version: z.string(),
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

/** Parsed value of `affectedHostSchema`. */
export type AffectedHost = z.output<typeof affectedHostSchema>;

const affectedHostFields = {
  include_hidden: queryFlag.optional().describe('Include severity none (negligible, unimportant).'),
};

/** Filters of the list of affected hosts. */
export const affectedHostQuerySchema = z.strictObject({ ...affectedHostFields, ...paging });

/** Filters of the export of all affected hosts. */
export const affectedHostExportQuerySchema = z.strictObject(affectedHostFields);

const cveRatingSchema = z
  .strictObject({
    score: z.number().min(0).max(10),
    vector: z.string(),
    feeds: z.array(z.string()).describe('The feeds whose records have it.'),
  })
  .meta({ id: 'CveRating' });

const cveFixSchema = z
  .strictObject({
    advisory_id: z.string(),
    feed: z.string(),
    kind: z.enum(['vulnerability', 'erratum']),
    published_at: timestamp.nullable(),
    release: z.string(),
    hosts: count.describe('Approved hosts with this release.'),
    packages: z.array(z.string()).describe('The first names, sorted.'),
    package_count: count,
    severity,
    fixed_version: z.string().nullable(),
    service: z.string().nullable().describe('The subscription service that delivers the fix.'),
    unfixed_reason: z.enum(['no_fix', 'will_not_fix', 'under_investigation']).nullable(),
    module: z.string().nullable(),
    line: z.string().nullable(),
  })
  .meta({ id: 'CveFix' });

/** A CVE with the advisories about it. */
export const cveDetailSchema = z
  .strictObject({
    id: z.string(),
    known: z
      .boolean()
      .describe(
        'Whether a feed names packages for it, or CISA lists it; as in `/cves/{id}/hosts`. If false, nothing is known about it on any host.',
      ),
    epss: probability,
    known_exploited: z.boolean(),
    exploited_since: z.iso.date().nullable(),
    ssvc,
    affected_hosts: affectedHostsSchema,
    unknown_hosts: count.describe(
      'As the total `unknown` of `/cves/{id}/hosts`; all hosts if the CVE is not known.',
    ),
    feeds: z
      .array(z.strictObject({ id: z.string(), updated_at: timestamp.nullable(), hosts: count }))
      .describe(
        'Feeds for the releases of approved hosts, which could list the CVE; the oldest data first, with the time of the data.',
      ),
    advisories: z.array(advisorySchema).describe('Records of every feed, newest first.'),
    published_at: timestamp
      .nullable()
      .describe(
        'When a vendor first published a record of it, or CISA listed it; null: no feed states a time.',
      ),
    texts: z
      .array(z.strictObject({ source: z.string().describe('A feed.'), text: z.string() }))
      .describe('What it is, in the words of CISA and of vendors.'),
    ratings: z.array(cveRatingSchema).describe('By CVSS, the highest score first.'),
    exploited_due_on: z.iso
      .date()
      .nullable()
      .describe('The day by which US federal agencies have to act, as CISA states it.'),
    exploited_in_ransomware: z
      .boolean()
      .nullable()
      .describe('Whether CISA knows of ransomware that uses it; false: it does not; null: not stated.'),
    epss_percentile: probability.describe('The share of all scored CVEs with the same or a lower score.'),
    epss_at: timestamp.nullable().describe('The time of the scores.'),
    fixes: z
      .array(cveFixSchema)
      .describe('What advisories state by release, those of approved hosts first; 500 at most.'),
    fixes_total: count,
  })
  .meta({ id: 'CveDetail' });

/** Parsed value of `cveDetailSchema`. */
export type CveDetail = z.output<typeof cveDetailSchema>;

/** The number of approved hosts in each state; the sum is all approved hosts. */
const cveTotalsSchema = z
  .strictObject({ affected: count, fixed: count, not_affected: count, unknown: count })
  .meta({ id: 'CveTotals' });

const hostUnderCveSchema = z
  .strictObject({
    ...listedHostFields,
    state: z
      .enum(cveStates)
      .describe(
        'fixed: a statement covers an installed package, and its version is at or above the fix. not_affected: requires a usable feed for the release.',
      ),
    reason: z
      .enum(cveStateReasons)
      .nullable()
      .describe(
        'unknown: the gap, or not_known_here if no feed lists the CVE. not_affected: not_named (for the release), no_named_package, or overridden (a known error of the feed: the list is in `GET /feeds`). affected: negligible if the vendor rates it so.',
      ),
    fix_state: z
      .enum(fixStates)
      .nullable()
      .describe('Of affected hosts, from the advisories about this CVE.'),
    waiver: bornWaiverSchema
      .optional()
      .describe('Present on an affected host if every visible advisory about this CVE is waived there.'),
    packages: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          installed_version: z.string(),
          source_version: z.string(),
          fixed_version: z.string().nullable(),
          state: z.enum(['affected', 'negligible', 'fixed', 'unchecked', 'other_build', 'overridden']),
        }),
      )
      .describe('Installed packages that the CVE could affect, by name.'),
  })
  .meta({ id: 'HostUnderCve' });

/** The states of one CVE on all approved hosts. */
export const cveHostsSchema = z
  .strictObject({
    known: z.boolean().describe('Whether any feed lists the CVE; if not, every host is unknown.'),
    totals: cveTotalsSchema,
    hosts: z.array(hostUnderCveSchema),
  })
  .meta({ id: 'CveHosts' });

/** Parsed value of `cveHostsSchema`. */
export type CveHosts = z.output<typeof cveHostsSchema>;

const cveHostFields = { state: z.enum(cveStates).optional() };

/** Filters of the list of hosts of a CVE. */
export const cveHostsQuerySchema = z.strictObject({ ...cveHostFields, ...paging });

/** Filters of the export of all hosts of a CVE. */
export const cveHostsExportQuerySchema = z.strictObject(cveHostFields);

/** The largest number of CVEs in one look-up. */
export const mostCvesLookedUp = 200;

/** How many hosts were exposed to a CVE, over time. */
export const cveProgressSchema = z
  .strictObject({
    published_at: timestamp.nullable(),
    known_from: timestamp
      .nullable()
      .describe(
        'Since when findings of these hosts are known here: a host of them had reported, and a feed had advisories for its release. null: not yet.',
      ),
    first_seen_at: timestamp
      .nullable()
      .describe('When the first host was exposed. null: none was, as far as is known.'),
    last_seen_at: timestamp.nullable().describe('When the last host was. null: one still is, or none was.'),
    points: z
      .array(
        z.strictObject({
          day: z.iso.date(),
          affected_hosts: count.describe('At the end of the day (UTC); of today: now.'),
          closed_hosts: count.describe('Exposed at an earlier time and no longer.'),
        }),
      )
      .describe('The oldest first; the last one is today. At equal distances of days, 120 or so at most.'),
  })
  .meta({ id: 'CveProgress' });

/** Parsed value of `cveProgressSchema`. */
export type CveProgress = z.output<typeof cveProgressSchema>;

/** The longest text of one look-up, in characters. */
const mostLookupCharacters = 500_000;

/** The CVEs to look up: ids, or any text that contains CVE ids. */
export const cveLookupSchema = z
  .strictObject({
    ids: z
      .array(z.string().regex(/^CVE-\d{4}-\d{4,19}$/i))
      .min(1)
      .max(mostCvesLookedUp)
      .optional(),
    text: z
      .string()
      .min(1)
      .max(mostLookupCharacters)
      .optional()
      .describe('Of a text that names more CVEs the first 200 are answered.'),
  })
  .refine(({ ids, text: any }) => (ids === undefined) !== (any === undefined), {
    error: 'needs either ids or text',
  });

/** The state of each CVE in the request, in order of its first mention. */
export const cveLookupAnswerSchema = z
  .strictObject({
    cves: z.array(
      z.strictObject({
        id: z.string(),
        known: z.boolean(),
        known_exploited: z.boolean(),
        epss: probability,
        totals: cveTotalsSchema,
      }),
    ),
    left_out: z.array(z.string()).describe('CVEs of the text beyond the first 200, in order; 1000 at most.'),
    left_out_total: count,
    not_understood: z
      .array(z.string())
      .describe('Parts of the text that look like an id of a CVE and are none, in order; 50 at most.'),
  })
  .meta({ id: 'CveLookup' });

/** Parsed value of `cveLookupAnswerSchema`. */
export type CveLookup = z.output<typeof cveLookupAnswerSchema>;

/** A CVE id in a path, case-insensitive. */
export const cveId = z.string().regex(/^CVE-\d{4}-\d{4,19}$/i);
