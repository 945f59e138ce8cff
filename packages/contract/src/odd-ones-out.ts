import { z } from 'zod';
import { count, id, queryInteger } from './field-types.ts';
import { hostInventoryQuerySchema } from './host.ts';

/** The group: the filters of GET /hosts. */
export const oddOnesOutQuerySchema = hostInventoryQuerySchema.extend({
  limit: queryInteger(1, 500).optional().describe('Hosts and packages for each release; default 100.'),
});

/** The hosts of a group that differ from nearly all others. */
export const oddOnesOutSchema = z
  .strictObject({
    hosts: count.describe('Approved hosts of the group.'),
    unreported_hosts: count.describe('Of them, those without a report: nothing is known of their packages.'),
    left_out_hosts: count.describe(
      'Hosts that were not compared, because the group has more than 20,000 distinct sets of packages.',
    ),
    releases: z
      .array(
        z.strictObject({
          release: z.string(),
          hosts: count,
          odd_hosts: count
            .nullable()
            .describe(
              'Hosts that differ; null: fewer than 5 hosts of the release, which is too few to tell.',
            ),
          odd: z
            .array(
              z.strictObject({
                host_id: id,
                display_name: z.string(),
                packages: z.array(
                  z.strictObject({
                    kind: z
                      .enum(['other_version', 'missing', 'extra'])
                      .describe(
                        'missing: at least 90 % of the hosts have this version, and this host does not have the package in another one; extra: at least 90 % do not have this version.',
                      ),
                    name: z.string(),
                    architecture: z.string(),
                    version: z.string().nullable(),
                    common_version: z.string().nullable(),
                  }),
                ),
                more_packages: count.describe('Further differences that are not listed.'),
              }),
            )
            .describe('The most different first.'),
          common: z
            .array(
              z.strictObject({
                name: z.string(),
                architecture: z.string(),
                version: z.string(),
                hosts: count,
                other_hosts: count,
              }),
            )
            .describe(
              'Packages that at least 90 % of the hosts, but not all, have in one version; those with the fewest other hosts first.',
            ),
        }),
      )
      .describe('By release, because other releases have other packages; those with the most hosts first.'),
  })
  .meta({ id: 'OddOnesOut' });

export type OddOnesOut = z.output<typeof oddOnesOutSchema>;
