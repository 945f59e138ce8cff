import { brokenStates, fixStates, severities, severitySources, versionSchemes } from '@plimsoll/model';
import { z } from 'zod';
import { workaroundSchema } from './advisory.ts';
import { dueSchema } from './due-date.ts';
import { installedFields, paging, queryFlag, queryTime, text, timestamp } from './field-types.ts';
import { bornWaiverSchema } from './waiver.ts';

const severity = z.enum(severities);
const fixState = z.enum(fixStates);
const exploitPrediction = z.number().min(0).max(1).nullable();

const cveSchema = z
  .strictObject({
    id: z.string(),
    cvss: z.number().min(0).max(10).nullable(),
    cvss_vector: z.string().nullable(),
    epss: exploitPrediction,
    known_exploited: z.boolean(),
  })
  .meta({ id: 'Cve' });

const openAdvisorySchema = z
  .strictObject({
    id: z.string(),
    aliases: z.array(z.string()),
    title: z.string(),
    severity,
    severity_source: z
      .enum(severitySources)
      .describe(
        "`vendor`: the vendor's rating; `cves`: derived from the vendor's ratings of its CVEs; `cvss`: from a CVSS score, the vendor gives no rating; `none`: neither, unrated.",
      ),
    url: z.string(),
    published_at: timestamp.nullable(),
    fixed_version: z.string().nullable(),
    fix_state: fixState,
    first_seen_at: timestamp,
    due: dueSchema
      .nullable()
      .describe('Null: no policy of due dates is set, or the list is about a past time.'),
    waiver: bornWaiverSchema.optional().describe('Present if it is waived; only with `include_waived`.'),
    cves: z.array(cveSchema),
    workarounds: z
      .array(workaroundSchema)
      .optional()
      .describe('What the vendor advises without a fix about the package. Absent: nothing.'),
  })
  .meta({ id: 'OpenAdvisory' });

/** Why a package counts as vulnerable. */
const evidenceSchema = z
  .strictObject({
    release: z.string().nullable().describe('The release whose advisories were matched.'),
    feed: z.string().nullable(),
    feed_updated_at: timestamp.nullable(),
    comparator: z.enum(versionSchemes).nullable(),
    match_name: z.string().describe('The name under which advisories were looked up.'),
    compared_version: z.string().describe('The version compared with the fixed versions; it is lower.'),
    fixed_version: z.string().nullable(),
    notes: z
      .array(z.strictObject({ code: z.string(), detail: z.string() }))
      .describe('Decisions on the way, including what was skipped.'),
  })
  .meta({ id: 'Evidence' });

/** A finding: an installed package with at least one open advisory. */
export const vulnerablePackageSchema = z
  .strictObject({
    ...installedFields,
    severity,
    fixed_version: z.string().nullable(),
    fix_state: fixState,
    candidate_version: z.string().nullable(),
    known_exploited: z.boolean(),
    epss: exploitPrediction,
    first_seen_at: timestamp,
    due_at: timestamp
      .nullable()
      .describe('The earliest due date of its open advisories, listed or not; null if none has one.'),
    moves_with_kernel: z
      .literal(true)
      .optional()
      .describe(
        'Only on a kernel companion (kernel-tools, linux-headers), listed by `include_companions`: the findings of the kernel cover it, so it is in no count.',
      ),
    waiver: bornWaiverSchema
      .optional()
      .describe(
        'Present if every visible advisory is waived; only with `include_waived`. Then it is only in waived_count. Otherwise severity and fix are of what is not waived.',
      ),
    advisories: z.array(openAdvisorySchema).min(1),
    evidence: evidenceSchema,
  })
  .meta({ id: 'VulnerablePackage' });

export type VulnerablePackage = z.output<typeof vulnerablePackageSchema>;

/** Filters of the list of findings. Default: findings that have a fix and count. */
export const vulnerableQuerySchema = z.strictObject({
  severity: severity.optional().describe('Rows of exactly this severity.'),
  include_unfixed: queryFlag.optional().describe('Include advisories without a fix.'),
  include_hidden: queryFlag.optional().describe('Include severity none (negligible, unimportant).'),
  include_waived: queryFlag
    .optional()
    .describe('Include what is waived, with its waiver; also findings without a fix.'),
  include_companions: queryFlag
    .optional()
    .describe(
      'Include packages that are built from the source of the kernel and move with it, after all findings. They are in no count.',
    ),
  at: queryTime
    .optional()
    .describe(
      'The packages installed at that time, not in the future. Before the first snapshot: 404 no_snapshot.',
    ),
  known: z
    .enum(['then', 'now'])
    .optional()
    .describe(
      'Only with at. then (default): by what was known at that time; epss is null, because it has no history, and Plimsoll-Gaps says what was not known then. now: by what is known today.',
    ),
});

/** An update that the host's package manager offers, or a downgrade. */
export const upgradablePackageSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    installed_version: z.string(),
    candidate_version: z.string(),
    change: z
      .enum(['upgrade', 'unknown', 'downgrade'])
      .describe('unknown: the two versions cannot be compared, so it may be an update.'),
    repository: z.string(),
    is_security: z.boolean(),
    held: z.boolean(),
    phased: z
      .boolean()
      .describe('Its publisher offers it to other hosts first; counted in `phased_updates`.'),
    advisory_ids: z.array(z.string()),
    severity: severity
      .nullable()
      .describe('The worst severity the update fixes; null if it fixes no finding.'),
  })
  .meta({ id: 'UpgradablePackage' });

export type UpgradablePackage = z.output<typeof upgradablePackageSchema>;

/** Filters of the list of updates. */
export const upgradableQuerySchema = z.strictObject({
  security: queryFlag.optional().describe('true: only security updates; false: only others.'),
  downgrades: queryFlag
    .optional()
    .describe('List offers of a lower version instead of updates; they are counted nowhere.'),
});

/** A package installed on a host. */
export const installedPackageSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    version: z.string(),
    source_name: z.string(),
    source_version: z.string(),
    vendor: z.string(),
    origin_evidence: z.string().describe('What says where it comes from.'),
    module: z.string(),
    suite: z.string(),
    held: z.boolean(),
    state: z
      .enum(['installed', ...brokenStates])
      .describe('Other than `installed`: its installation did not end.'),
    verdict: z
      .enum(['comparable', 'excluded', 'unknown'])
      .describe('comparable: it is matched with advisories; excluded: another package covers it.'),
    verdict_reason: z.string().nullable(),
    checked: z
      .boolean()
      .describe(
        'Whether it is matched with advisories: it has a verdict, and a feed with data covers its release. Kernels that do not run are not checked.',
      ),
    covered_by: z
      .string()
      .nullable()
      .describe('The package whose findings cover it: for kernel packages the one of the running kernel.'),
  })
  .meta({ id: 'InstalledPackage' });

export type InstalledPackageAnswer = z.output<typeof installedPackageSchema>;

/** Filters of the list of installed packages. */
export const installedQuerySchema = z.strictObject({
  ...paging,
  q: text(1, 256).optional().describe('Part of the name or source name; case-insensitive.'),
});
