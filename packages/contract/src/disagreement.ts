import { disagreementKinds, disagreementReasons, severities } from '@plimsoll/model';
import { z } from 'zod';

/** An update on which a host's package manager and its findings disagree. */
export const disagreementSchema = z
  .strictObject({
    kind: z.enum(disagreementKinds),
    name: z.string(),
    architecture: z.string(),
    installed_version: z.string(),
    candidate_version: z.string(),
    package_manager: z
      .strictObject({
        is_security: z.boolean(),
        repository: z.string(),
        advisory_ids: z
          .array(z.string())
          .describe('The advisories that the repositories name for the update.'),
      })
      .describe("The package manager's view of the update."),
    plimsoll: z
      .strictObject({
        reason: z.enum(disagreementReasons),
        severity: z.enum(severities).nullable(),
        fixed_version: z.string().nullable(),
        advisory_ids: z.array(z.string()),
      })
      .describe("Plimsoll's view of the package, including the finding if there is one."),
  })
  .meta({ id: 'Disagreement' });

export type Disagreement = z.output<typeof disagreementSchema>;
