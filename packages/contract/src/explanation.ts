import {
  explanationReasons,
  explanationVerdicts,
  fixStates,
  gaps,
  severities,
  statementJudgements,
  versionSchemes,
} from '@plimsoll/model';
import { z } from 'zod';
import { installedFields, text, timestamp } from './field-types.ts';
import { bornWaiverSchema } from './waiver.ts';

const severity = z.enum(severities);
const reason = z.enum(explanationReasons);
const gap = z
  .enum(gaps)
  .nullable()
  .describe('What makes the answer unknown, if `verdict` is `unknown`; null otherwise.');

const explainedStatementSchema = z
  .strictObject({
    id: z.string(),
    judgement: z.enum(statementJudgements),
    detail: z.string().describe('One sentence.'),
    severity,
    fixed_version: z.string().nullable(),
  })
  .meta({ id: 'ExplainedStatement' });

const explainedPackageSchema = z
  .strictObject({
    ...installedFields,
    match_name: z.string().nullable().describe('The name under which advisories are looked up.'),
    compared_version: z.string().nullable(),
    reason,
    gap,
    detail: z.string().describe('A sentence or two.'),
    severity: severity.nullable().describe("The advisory's severity if it is a finding; likewise below."),
    fix_state: z.enum(fixStates).nullable(),
    fixed_version: z.string().nullable(),
    waiver: bornWaiverSchema
      .optional()
      .describe('Present if it is a finding that is waived; GET /waivers/{id} has the reason.'),
    statements: z
      .array(explainedStatementSchema)
      .describe(
        "What the advisory's records state about the package, and the records that replace an erratum.",
      ),
  })
  .meta({ id: 'ExplainedPackage' });

/** Why an advisory is, or is not, a finding on a package of a host. */
export const explanationSchema = z
  .strictObject({
    verdict: z.enum(explanationVerdicts),
    reason,
    gap,
    detail: z.string().describe('A sentence or two.'),
    release: z.string().nullable(),
    comparator: z.enum(versionSchemes).nullable(),
    feed: z.string().nullable(),
    feed_updated_at: timestamp.nullable(),
    advisories: z
      .array(z.strictObject({ id: z.string(), feed: z.string(), title: z.string(), url: z.string() }))
      .describe('The records of all feeds with this id, alias or CVE.'),
    packages: z
      .array(explainedPackageSchema)
      .describe('Installed packages with this name, or else with this source.'),
  })
  .meta({ id: 'Explanation' });

export type Explanation = z.output<typeof explanationSchema>;

/** The advisory to explain. */
export const explanationQuerySchema = z.strictObject({
  advisory: text(1, 200).describe('An id, an alias or a CVE; case-insensitive.'),
});
