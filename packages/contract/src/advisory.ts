import { cveStateReasons, cveStates, fixStates, severities, severitySources } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, paging, queryFlag, text, timestamp } from './field-types.ts';

const severity = z.enum(severities);
const probability = z.number().min(0).max(1).nullable();

/** A vendor's id as it stands in a path: `DSA-5724-1`, `RHSA-2024:1234`. */
export const advisoryId = text(1, 200);

/** On how many approved hosts something is a finding. Negligible ones (severity `none`) are none of them. */
const affectedHostsSchema = z
  .strictObject({
    total: count,
    with_fix: count.describe('Those of them for which there is a fix, installable or not.'),
  })
  .meta({ id: 'AffectedHostCounts' });

const recordFields = {
  feed: z.string(),
  kind: z
    .enum(['vulnerability', 'erratum'])
    .describe('vulnerability: one vulnerability judged per release; erratum: an update that ships fixes.'),
  title: z.string(),
  url: z.string(),
  severity: severity.nullable().describe('The worst of the packages it names; null where it names none.'),
  published_at: timestamp.nullable(),
  modified_at: timestamp.nullable(),
  withdrawn_at: timestamp.nullable(),
  aliases: z.array(z.string()),
  cves: z.array(z.string()),
};

/** One record of a feed. */
export const advisorySchema = z
  .strictObject({
    id: z.string().describe("The vendor's; several feeds may have one of it."),
    ...recordFields,
    releases: z.array(z.string()),
    known_exploited: z.boolean(),
    epss: probability.describe('The highest of its CVEs.'),
    affected_hosts: affectedHostsSchema
      .nullable()
      .describe('By the records of every feed under this id; null unless `include_hosts` asks for it.'),
  })
  .meta({ id: 'Advisory' });

/** What `advisorySchema` lets through. */
export type Advisory = z.output<typeof advisorySchema>;

/** Which advisories. */
export const advisoryQuerySchema = z.strictObject({
  q: text(1, 200).optional().describe('Part of the id, an alias, a CVE or the title, whatever its case.'),
  severity: severity.optional().describe('Exactly this; of the release asked for, where one is.'),
  known_exploited: queryFlag.optional(),
  feed: text(1, 100).optional(),
  release: text(1, 100).optional().describe('Advisories that name packages of it: `debian:12`.'),
  affected: queryFlag
    .optional()
    .describe(
      'true: only those that are a finding on an approved host, with `affected_hosts`, as counted a while ago: a moment on small fleets, up to five minutes on the largest.',
    ),
  sort: z
    .enum(['-published_at', 'severity', '-affected_hosts'])
    .optional()
    .describe('Newest first if missing. Worst first and most hosts first are for `affected=true`.'),
  include_hosts: queryFlag
    .optional()
    .describe('Count the hosts that each affects; takes a second on the largest fleets.'),
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
        'rpm: it names a source package, for all that is built from it; upstream_source: said by the distribution that the release is rebuilt from.',
      ),
    severity,
    severity_source: z
      .enum(severitySources)
      .describe(
        "`vendor`: the vendor's own word, of an erratum also for its CVEs; `cvss`: from a CVSS score; `none`: neither, unrated.",
      ),
    fixed_version: z.string().nullable(),
    service: z.string().nullable().describe('The subscription service that it takes to get the fix.'),
    unfixed_reason: z.enum(['no_fix', 'will_not_fix', 'under_investigation']).nullable(),
    unfixed_detail: z.string().describe("The vendor's own word for it."),
    architectures: z.array(z.string()).describe('Empty: all.'),
    module: z.string().nullable().describe("A module's stream; empty: builds outside of modules; null: all."),
    line: z
      .string()
      .nullable()
      .describe('Builds with versions of their own, such as `el9_0`; null: the others.'),
    first_seen_at: timestamp.describe('When it reached us.'),
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

const cveFactsSchema = z
  .strictObject({
    id: z.string(),
    epss: probability,
    known_exploited: z.boolean(),
    exploited_since: z.iso.date().nullable().describe('When CISA listed it.'),
  })
  .meta({ id: 'CveFacts' });

/** Everything that feeds say under one id. */
export const advisoryDetailSchema = z
  .strictObject({
    id: z.string(),
    known_exploited: z.boolean(),
    epss: probability,
    cves: z.array(cveFactsSchema),
    affected_hosts: affectedHostsSchema,
    unknown_hosts: count.describe(
      'Approved hosts that it could concern and that cannot be judged: finding nothing on them does not mean "not affected". Affected ones can be among them.',
    ),
    records: z.array(advisoryRecordSchema).min(1).describe('One of each feed that has it, newest first.'),
  })
  .meta({ id: 'AdvisoryDetail' });

/** What `advisoryDetailSchema` lets through. */
export type AdvisoryDetail = z.output<typeof advisoryDetailSchema>;

/** A host in a list of hosts that have something. */
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
    severity: severity.describe('Of this advisory for the package.'),
    fixed_version: z.string().nullable(),
    fix_state: z.enum(fixStates),
    candidate_version: z.string().nullable(),
    advisory_ids: z
      .array(z.string())
      .describe('The records by which it is a finding: this one, or those that speak for an erratum.'),
  })
  .meta({ id: 'AffectedPackage' });

/** A host on which an advisory is a finding. */
export const affectedHostSchema = z
  .strictObject({ ...listedHostFields, packages: z.array(affectedPackageSchema) })
  .meta({ id: 'AffectedHost' });

/** What `affectedHostSchema` lets through. */
export type AffectedHost = z.output<typeof affectedHostSchema>;

const affectedHostFields = {
  include_hidden: queryFlag.optional().describe('Severity none (negligible, unimportant), too.'),
};

/** Which of the hosts. */
export const affectedHostQuerySchema = z.strictObject({ ...affectedHostFields, ...paging });

/** Which of the hosts, all of them. */
export const affectedHostExportQuerySchema = z.strictObject(affectedHostFields);

/** A CVE with the advisories about it. */
export const cveDetailSchema = z
  .strictObject({
    id: z.string(),
    known: z
      .boolean()
      .describe(
        'Whether a feed names packages for it, or CISA lists it; as in `/cves/{id}/hosts`. Otherwise it is not known here, which says nothing of any host.',
      ),
    epss: probability,
    known_exploited: z.boolean(),
    exploited_since: z.iso.date().nullable(),
    affected_hosts: affectedHostsSchema,
    unknown_hosts: count.describe(
      'As the total `unknown` of `/cves/{id}/hosts`; all hosts where it is not known.',
    ),
    feeds: z
      .array(z.strictObject({ id: z.string(), updated_at: timestamp.nullable(), hosts: count }))
      .describe(
        'Feeds that speak for a release that approved hosts run, and so could know it; the oldest first, with how new their data is known to be.',
      ),
    advisories: z.array(advisorySchema).describe('Of every feed, newest first.'),
  })
  .meta({ id: 'CveDetail' });

/** What `cveDetailSchema` lets through. */
export type CveDetail = z.output<typeof cveDetailSchema>;

/** How many approved hosts are in each state; together all of them. */
const cveTotalsSchema = z
  .strictObject({ affected: count, fixed: count, not_affected: count, unknown: count })
  .meta({ id: 'CveTotals' });

const hostUnderCveSchema = z
  .strictObject({
    ...listedHostFields,
    state: z
      .enum(cveStates)
      .describe(
        'fixed: a statement names an installed package, and its version is at or above the fix. not_affected: only where a feed speaks for the release that could have said otherwise.',
      ),
    reason: z
      .enum(cveStateReasons)
      .nullable()
      .describe(
        'unknown: the gap, or not_known_here where no feed names the CVE. not_affected: not_named (for the release) or no_named_package. affected: negligible where the vendor says so.',
      ),
    fix_state: z.enum(fixStates).nullable().describe('Of affected hosts, by the advisories about this CVE.'),
    packages: z
      .array(
        z.strictObject({
          name: z.string(),
          architecture: z.string(),
          installed_version: z.string(),
          source_version: z.string(),
          fixed_version: z.string().nullable(),
          state: z.enum(['affected', 'negligible', 'fixed', 'unchecked', 'other_build']),
        }),
      )
      .describe('Installed packages that the CVE could concern, by name.'),
  })
  .meta({ id: 'HostUnderCve' });

/** The hosts of the fleet under a CVE. */
export const cveHostsSchema = z
  .strictObject({
    known: z.boolean().describe('Whether any feed names the CVE; if not, every host is unknown.'),
    totals: cveTotalsSchema,
    hosts: z.array(hostUnderCveSchema),
  })
  .meta({ id: 'CveHosts' });

/** What `cveHostsSchema` lets through. */
export type CveHosts = z.output<typeof cveHostsSchema>;

const cveHostFields = { state: z.enum(cveStates).optional() };

/** Which of the hosts. */
export const cveHostsQuerySchema = z.strictObject({ ...cveHostFields, ...paging });

/** Which of the hosts, all of them. */
export const cveHostsExportQuerySchema = z.strictObject(cveHostFields);

/** CVEs that one look-up answers. */
export const mostCvesLookedUp = 200;

/** The CVEs to look up: ids, or any text that holds some. */
export const cveLookupSchema = z
  .strictObject({
    ids: z
      .array(z.string().regex(/^CVE-\d{4}-\d{4,19}$/i))
      .min(1)
      .max(mostCvesLookedUp)
      .optional(),
    text: z.string().min(1).max(50_000).optional(),
  })
  .refine(({ ids, text: any }) => (ids === undefined) !== (any === undefined), {
    error: 'needs either ids or text',
  });

/** What is known of each CVE that was found, in the order of its first mention. */
export const cveLookupAnswerSchema = z
  .strictObject({
    cves: z.array(z.strictObject({ id: z.string(), known: z.boolean(), totals: cveTotalsSchema })),
  })
  .meta({ id: 'CveLookup' });

/** A CVE in a path, whatever its case. */
export const cveId = z.string().regex(/^CVE-\d{4}-\d{4,19}$/i);
