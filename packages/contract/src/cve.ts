import { cveStateReasons, cveStates, fixStates, severities } from '@plimsoll/model';
import { z } from 'zod';
import {
  advisorySchema,
  affectedHostsSchema,
  feedUpdatedAt,
  listedHostFields,
  probability,
  ssvc,
} from './advisory.ts';
import { count, paging, timestamp } from './field-types.ts';
import { bornWaiverSchema } from './waiver.ts';

/** A CVE id, case-insensitive. */
export const cveId = z.string().regex(/^CVE-\d{4}-\d{4,19}$/i);

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
    severity: z.enum(severities),
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
    exploited_data_at: timestamp
      .nullable()
      .describe(
        'When the data of CISA KEV was last current; it says nothing about later listings. null: never synced, so that false means nothing.',
      ),
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
    feed_updated_at: feedUpdatedAt,
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
    totals: cveTotalsSchema.describe('Of all hosts, whatever the filter.'),
    releases: z
      .array(
        z.strictObject({
          release: z.string().nullable().describe('null: hosts whose release is not known.'),
          totals: cveTotalsSchema,
        }),
      )
      .describe('The totals by release, by name.'),
    hosts: z.array(hostUnderCveSchema),
  })
  .meta({ id: 'CveHosts' });

export type CveHosts = z.output<typeof cveHostsSchema>;

const cveHostFields = {
  state: z.enum(cveStates).optional(),
  release: z.string().min(1).max(200).optional().describe('Only hosts of this release: `debian:12`.'),
};

/** Filters of the list of hosts of a CVE. */
export const cveHostsQuerySchema = z.strictObject({ ...cveHostFields, ...paging });

/** Filters of the export of all hosts of a CVE. */
export const cveHostsExportQuerySchema = z.strictObject(cveHostFields);

export type CveHostsFilterQuery = z.output<typeof cveHostsExportQuerySchema>;

/** The largest number of CVEs in one look-up. */
export const mostCvesLookedUp = 200;

/** How many hosts were exposed to a CVE, over time. */
export const cveProgressSchema = z
  .strictObject({
    published_at: timestamp.nullable(),
    unknown_hosts: count.describe(
      'Approved hosts of which it is not known now whether the CVE affects them: they are in no point. All if no feed lists the CVE.',
    ),
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

export type CveProgress = z.output<typeof cveProgressSchema>;

/** The longest text of one look-up, in characters. */
const mostLookupCharacters = 500_000;

/** The CVEs to look up: ids, or any text that contains CVE ids. */
export const cveLookupSchema = z
  .strictObject({
    ids: z.array(cveId).min(1).max(mostCvesLookedUp).optional(),
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

export type CveLookup = z.output<typeof cveLookupAnswerSchema>;
