import { fixStates, severities, severitySources, versionSchemes } from '@plimsoll/model';
import { z } from 'zod';
import { paging, queryFlag, queryTime, text, timestamp } from './field-types.ts';

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
        "`vendor`: the vendor's own word, of an erratum also for its CVEs; `cvss`: from a CVSS score; `none`: neither, unrated.",
      ),
    url: z.string(),
    published_at: timestamp.nullable(),
    fixed_version: z.string().nullable(),
    fix_state: fixState,
    first_seen_at: timestamp,
    cves: z.array(cveSchema),
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
    compared_version: z.string().describe('What was compared with the fixed versions, and is older.'),
    fixed_version: z.string().nullable(),
    notes: z
      .array(z.strictObject({ code: z.string(), detail: z.string() }))
      .describe('What was decided or passed over on the way.'),
  })
  .meta({ id: 'Evidence' });

/** A finding: an installed package with at least one open advisory. */
export const vulnerablePackageSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    installed_version: z.string(),
    source_name: z.string(),
    source_version: z.string(),
    severity,
    fixed_version: z.string().nullable(),
    fix_state: fixState,
    candidate_version: z.string().nullable(),
    known_exploited: z.boolean(),
    epss: exploitPrediction,
    first_seen_at: timestamp,
    advisories: z.array(openAdvisorySchema).min(1),
    evidence: evidenceSchema,
  })
  .meta({ id: 'VulnerablePackage' });

/** What `vulnerablePackageSchema` lets through. */
export type VulnerablePackage = z.output<typeof vulnerablePackageSchema>;

/** Which findings. Without a parameter: those that have a fix and count. */
export const vulnerableQuerySchema = z.strictObject({
  severity: severity.optional().describe('Rows of exactly this severity.'),
  include_unfixed: queryFlag.optional().describe('Advisories without a fix, too.'),
  include_hidden: queryFlag.optional().describe('Severity none (negligible, unimportant), too.'),
  at: queryTime
    .optional()
    .describe("The packages installed then, judged by today's advisories. Before the first snapshot: 404."),
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
      .describe('unknown: the two versions cannot be compared, and that it is no update is not known.'),
    repository: z.string(),
    is_security: z.boolean(),
    held: z.boolean(),
    advisory_ids: z.array(z.string()),
    severity: severity.nullable().describe('The worst the update fixes; null if it fixes no finding.'),
  })
  .meta({ id: 'UpgradablePackage' });

/** What `upgradablePackageSchema` lets through. */
export type UpgradablePackage = z.output<typeof upgradablePackageSchema>;

/** Which updates. */
export const upgradableQuerySchema = z.strictObject({
  security: queryFlag
    .optional()
    .describe('Only those that are a security update, or only those that are not.'),
  downgrades: queryFlag
    .optional()
    .describe('Instead of the updates the offers of a lower version, which are counted nowhere.'),
});

/** A package that is installed on a host. */
export const installedPackageSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    version: z.string(),
    source_name: z.string(),
    source_version: z.string(),
    vendor: z.string(),
    module: z.string(),
    suite: z.string(),
    held: z.boolean(),
    verdict: z
      .enum(['comparable', 'excluded', 'unknown'])
      .describe('comparable: advisories are judged for it; excluded: another package speaks for it.'),
    verdict_reason: z.string().nullable(),
    checked: z
      .boolean()
      .describe(
        'Whether advisories are held against it: it has a verdict, and a feed with data speaks for its release. Kernels that do not run are not checked.',
      ),
    covered_by: z
      .string()
      .nullable()
      .describe('The package whose findings speak for it: of what comes with a kernel the one that runs.'),
  })
  .meta({ id: 'InstalledPackage' });

/** What `installedPackageSchema` lets through. */
export type InstalledPackage = z.output<typeof installedPackageSchema>;

/** Which packages. */
export const installedQuerySchema = z.strictObject({
  ...paging,
  q: text(1, 256).optional().describe('Part of the name or source name, whatever its case.'),
});
