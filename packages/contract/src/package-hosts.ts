import { z } from 'zod';
import { listedHostFields } from './advisory.ts';
import { count, paging, queryInteger, text } from './field-types.ts';

/** Whether a comparison included the epochs. */
export const epochRules = ['compared', 'ignored'] as const;

/** How an installed version compares to the requested one. */
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
        'ignored: `version_lt` has no epoch, so epochs were not compared; null: `version_lt` was not given.',
      ),
  })
  .meta({ id: 'PackageOnHost' });

/** A host that has a package. */
export const packageHostSchema = z
  .strictObject({ ...listedHostFields, packages: z.array(packageOnHostSchema) })
  .meta({ id: 'PackageHost' });

export type PackageHost = z.output<typeof packageHostSchema>;

/** A package name. */
export const packageNameSchema = z
  .strictObject({
    name: z.string(),
    hosts: count.describe(
      'Approved hosts that have it; the count is as old as with `affected` of GET /advisories.',
    ),
  })
  .meta({ id: 'PackageName' });

/** A search for package names. */
export const packageNamesQuerySchema = z.strictObject({
  q: text(1, 256).optional().describe('Part of the name; case-insensitive. Without it: all names.'),
  source: text(1, 256)
    .optional()
    .describe('The exact name of a source package: only packages that are built from it.'),
  limit: queryInteger(1, 100).optional().describe('Default 20.'),
});

const packageQuestionFields = {
  name: text(1, 256).describe('The exact name of the binary package.'),
  version_lt: text(1, 256)
    .optional()
    .describe(
      "Only versions lower than this by the rules of each host's package manager, and versions that cannot be compared. Without an epoch, epochs are ignored.",
    ),
};

/** The package to look for. */
export const packageHostsQuerySchema = z.strictObject({ ...packageQuestionFields, ...paging });

/** The same without pages. */
export const packageHostsExportQuerySchema = z.strictObject(packageQuestionFields);
