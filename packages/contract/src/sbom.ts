import { z } from 'zod';
import { timestamp } from './field-types.ts';

/** Content type of a CycloneDX document as JSON (IANA). */
export const cycloneDxType = 'application/vnd.cyclonedx+json; version=1.6';

const property = z.strictObject({ name: z.string(), value: z.string() });

const component = z.strictObject({
  type: z.enum(['operating-system', 'library', 'device']),
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string().optional(),
  publisher: z.string().optional(),
  purl: z.string().optional(),
  properties: z.array(property).optional(),
});
/** A component of an SBOM. */
export type SbomComponent = z.output<typeof component>;

const rating = z.strictObject({
  source: z.strictObject({ name: z.string() }).optional(),
  score: z.number().optional(),
  severity: z.enum(['critical', 'high', 'medium', 'low', 'none', 'unknown']),
  method: z.enum(['CVSSv2', 'CVSSv3', 'CVSSv31', 'CVSSv4', 'other']),
  vector: z.string().optional(),
});

const source = z.strictObject({ name: z.string(), url: z.string().optional() });

const vulnerability = z.strictObject({
  'bom-ref': z.string(),
  id: z.string(),
  source,
  references: z.array(z.strictObject({ id: z.string(), source })).optional(),
  ratings: z.array(rating),
  description: z.string().optional(),
  recommendation: z.string().optional(),
  workaround: z.string().optional(),
  published: timestamp.optional(),
  analysis: z.strictObject({
    state: z.enum(['exploitable', 'in_triage', 'not_affected', 'false_positive']),
    justification: z.enum(['protected_at_runtime', 'protected_by_mitigating_control']).optional(),
    response: z.array(z.enum(['update', 'will_not_fix', 'workaround_available'])).optional(),
    detail: z.string(),
  }),
  affects: z.array(
    z.strictObject({
      ref: z.string(),
      versions: z.array(
        z.strictObject({ version: z.string(), status: z.enum(['affected', 'unaffected', 'unknown']) }),
      ),
    }),
  ),
  properties: z.array(property),
});
/** An open vulnerability in an SBOM. */
export type SbomVulnerability = z.output<typeof vulnerability>;

/** The parts of CycloneDX 1.6 that the service writes (https://cyclonedx.org/docs/1.6/json/). */
export const sbomSchema = z
  .strictObject({
    $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
    bomFormat: z.literal('CycloneDX'),
    specVersion: z.literal('1.6'),
    serialNumber: z.string().describe('Equal for equal content.'),
    version: z.literal(1),
    metadata: z.strictObject({
      timestamp,
      tools: z.strictObject({
        components: z.array(
          z.strictObject({ type: z.literal('application'), name: z.string(), version: z.string() }),
        ),
      }),
      component,
      properties: z
        .array(property)
        .describe(
          '`plimsoll:gap`: why vulnerabilities may be missing. An empty list is safe only without gaps.',
        ),
    }),
    components: z.array(component),
    vulnerabilities: z.array(vulnerability),
    compositions: z.array(
      z.strictObject({
        aggregate: z.enum(['complete', 'incomplete', 'unknown']),
        assemblies: z.array(z.string()).optional(),
        vulnerabilities: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'CycloneDxSbom' });
/** An SBOM of a host with its vulnerabilities. */
export type Sbom = z.output<typeof sbomSchema>;
