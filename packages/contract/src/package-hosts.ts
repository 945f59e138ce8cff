import { z } from 'zod';
import { listedHostFields } from './advisory.ts';
import { count, paging, queryInteger, text } from './field-types.ts';

/** Whether two versions were compared with their epochs. */
export const epochRules = ['compared', 'ignored'] as const;

/** How an installed version stands to the one that was asked about. */
export const versionComparisons = ['lower', 'unknown'] as const;

const packageOnHostSchema = z
  .strictObject({
    name: z.string(),
    architecture: z.string(),
    version: z.string(),
    source_name: z.string(),
    source_version: z.string(),
    vendor: z.string(),
    module: z.string(),
    held: z.boolean(),
    comparison: z
      .enum(versionComparisons)
      .nullable()
      .describe('unknown: the two versions cannot be compared; null: `version_lt` was not given.'),
    epochs: z
      .enum(epochRules)
      .nullable()
      .describe(
        'ignored: `version_lt` has no epoch, so none was compared; null: `version_lt` was not given.',
      ),
  })
  .meta({ id: 'PackageOnHost' });

/** A host that has a package. */
export const packageHostSchema = z
  .strictObject({ ...listedHostFields, packages: z.array(packageOnHostSchema) })
  .meta({ id: 'PackageHost' });

/** What `packageHostSchema` lets through. */
export type PackageHost = z.output<typeof packageHostSchema>;

/** A package by its name. */
export const packageNameSchema = z
  .strictObject({
    name: z.string(),
    hosts: count.describe(
      'Approved hosts that have it, as counted a while ago, as with `affected` of GET /advisories.',
    ),
  })
  .meta({ id: 'PackageName' });

/** Part of a name. */
export const packageNamesQuerySchema = z.strictObject({
  q: text(1, 256).describe('Part of the name, whatever its case.'),
  limit: queryInteger(1, 100).optional().describe('20 if missing.'),
});

/** Which package. */
export const packageHostsQuerySchema = z.strictObject({
  name: text(1, 256).describe('The binary package, exactly.'),
  version_lt: text(1, 256)
    .optional()
    .describe(
      "Only versions lower than this, as each host's package manager compares; and those that cannot be compared. Without an epoch it is compared without epochs.",
    ),
  ...paging,
});
