import { fixStates, gaps as gapNames, overallActions, severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, timestamp } from './field-types.ts';

/** Why parts of two hosts cannot be compared, or only with care. */
export const comparisonLimits = [
  'no_report_a',
  'no_report_b',
  'other_family',
  'other_distribution',
  'other_release',
  'other_architecture',
  'reports_apart',
  'findings_unknown_a',
  'findings_unknown_b',
] as const;

/** The two hosts of a comparison. */
export const comparisonQuerySchema = z.strictObject({ a: id, b: id });

const comparedHost = z.strictObject({
  id,
  display_name: z.string(),
  release: z.string().nullable().describe('null: no report.'),
  overall_action: z.enum(overallActions),
  gaps: z.array(z.enum(gapNames)),
  received_at: timestamp.nullable().describe('When the compared report was collected; null: not known.'),
});

const versions = z.array(z.string()).describe('Several if several versions are installed.');

const onlyPackage = z.strictObject({ name: z.string(), architecture: z.string(), versions });

const onlyFinding = z.strictObject({
  name: z.string(),
  architecture: z.string(),
  installed_version: z.string(),
  advisory_id: z.string(),
  cves: z.array(z.string()),
  severity: z.enum(severities),
  fix_state: z.enum(fixStates),
  known_exploited: z.boolean(),
});

const repository = z.strictObject({ id: z.string(), url: z.string(), suite: z.string() });

/** What two hosts have in common and what not, by their newest reports. */
export const comparisonSchema = z
  .strictObject({
    a: comparedHost,
    b: comparedHost,
    limits: z
      .array(z.enum(comparisonLimits))
      .describe(
        'other_family: packages have other names, and versions have no common order. other_architecture: packages of the own architecture of each host are compared as one. reports_apart: the reports are more than a day apart.',
      ),
    facts: z.array(
      z.strictObject({
        fact: z.string(),
        a: z.string().nullable().describe('null: not known.'),
        b: z.string().nullable(),
        same: z.boolean().nullable().describe('null: one of them is not known.'),
      }),
    ),
    packages: z
      .strictObject({
        same: count,
        only_a: z.array(onlyPackage),
        only_b: z.array(onlyPackage),
        different: z.array(
          z.strictObject({
            name: z.string(),
            architecture: z.string(),
            a: versions,
            b: versions,
            newer: z
              .enum(['a', 'b'])
              .nullable()
              .describe(
                'Which host has the newer version, by the order of the package manager with epochs; null: they have no common order.',
              ),
          }),
        ),
      })
      .nullable()
      .describe('null: one of the hosts has no report.'),
    findings: z
      .strictObject({ same: count, only_a: z.array(onlyFinding), only_b: z.array(onlyFinding) })
      .nullable()
      .describe(
        'Open advisories of packages, without waived and hidden ones. A finding is on both hosts if the other one has the same advisory, or all of its CVEs, open on the package of the same name; names that differ only in numbers are the same, as of kernels.',
      ),
    repositories: z
      .strictObject({ same: count, only_a: z.array(repository), only_b: z.array(repository) })
      .nullable()
      .describe('Those that are enabled; null: one of the hosts has no report.'),
  })
  .meta({ id: 'HostComparison' });

export type HostComparison = z.output<typeof comparisonSchema>;
