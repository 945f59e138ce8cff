import { copyReasons, repositoriesStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, paging, queryFlag, timestamp } from './field-types.ts';

const newestFields = {
  newest_known_at: timestamp.nullable().describe('The newest known date; null if there is no source.'),
  newest_known_source: z
    .enum(['publisher', 'hosts', 'few_hosts'])
    .nullable()
    .describe(
      'The source: the publisher, at least three approved hosts, or fewer that are ahead by more than a day: copies behind them are `unknown`.',
    ),
};

/** One host's copy of a repository with its judgement. */
export const hostRepositorySchema = z
  .strictObject({
    id: z.string().describe("The host's id for it: the Release file on apt, the repository id on rpm."),
    url: z.string(),
    suite: z.string(),
    origin: z.string(),
    component: z.string().describe('On apt the components that the host uses, separated by spaces.'),
    enabled: z.boolean(),
    used: z
      .boolean()
      .describe(
        'Whether the host takes packages from it. Only used repositories count for `repositories_state`.',
      ),
    published_at: timestamp.nullable().describe('When the publisher created this copy.'),
    valid_until: timestamp.nullable(),
    fetched_at: timestamp
      .nullable()
      .describe('When the host last fetched it, or confirmed that it had not changed.'),
    error: z.string().describe('The error of the last fetch; empty if no error is known.'),
    state: z.enum(repositoriesStates),
    reason_code: z.enum(copyReasons),
    reason: z.string().describe('The same in one sentence.'),
    max_lag_days: count.describe('The days that it may be older than the newest known copy.'),
    ...newestFields,
    hosts_with_newer: count.describe(
      'Other approved hosts whose copies are newer by at least as many whole days as the newest known copy; of a copy that is `newer_on_few`, by more than `max_lag_days`.',
    ),
  })
  .meta({ id: 'HostRepository' });

/** A repository of the fleet. Pending hosts are not counted. */
export const fleetRepositorySchema = z
  .strictObject({
    id: z.int(),
    name: z.string().describe('Suite or repository id.'),
    origin: z.string(),
    suite: z.string(),
    component: z.string(),
    architecture: z.string(),
    address: z
      .string()
      .describe('The common prefix of all addresses; empty if the copies have different addresses.'),
    ...newestFields,
    hosts: count,
    outdated_hosts: count,
    oldest_published_at: timestamp.nullable().describe('The date of the oldest copy.'),
  })
  .meta({ id: 'FleetRepository' });

/** Filters of the fleet's repositories. */
export const fleetRepositoryQuerySchema = z.strictObject({
  ...paging,
  outdated: queryFlag.optional().describe('Only repositories with an outdated host.'),
});

export type HostRepository = z.output<typeof hostRepositorySchema>;
export type FleetRepository = z.output<typeof fleetRepositorySchema>;
