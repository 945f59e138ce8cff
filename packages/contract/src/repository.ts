import { copyReasons, repositoriesStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, paging, queryFlag, timestamp } from './field-types.ts';

const newestFields = {
  newest_known_at: timestamp
    .nullable()
    .describe('The newest date known of it; null where nothing tells one.'),
  newest_known_source: z
    .enum(['publisher', 'hosts'])
    .nullable()
    .describe('Who tells it: the publisher, or three approved hosts at least.'),
};

/** One host's copy of a repository, judged. */
export const hostRepositorySchema = z
  .strictObject({
    id: z.string().describe('As the host names it: on apt its Release file, on rpm the repository id.'),
    url: z.string(),
    suite: z.string(),
    origin: z.string(),
    component: z.string().describe('On apt the components that the host uses, with spaces between.'),
    enabled: z.boolean(),
    used: z
      .boolean()
      .describe('Whether the host takes packages from it. Only then it counts for `repositories_state`.'),
    published_at: timestamp.nullable().describe('When its publisher made this copy.'),
    valid_until: timestamp.nullable(),
    fetched_at: timestamp
      .nullable()
      .describe('When the host last fetched it successfully, or learned that it had not changed.'),
    error: z.string().describe('Why the last fetch failed, as far as the host knows; else empty.'),
    state: z.enum(repositoriesStates),
    reason_code: z.enum(copyReasons),
    reason: z.string().describe('The same in one sentence.'),
    max_lag_days: count.describe('The days by which it may be older than the newest known copy.'),
    ...newestFields,
    hosts_with_newer: count.describe(
      'Other approved hosts whose copies are newer by as many whole days as the newest known one, or by more.',
    ),
  })
  .meta({ id: 'HostRepository' });

/** A repository of the fleet. Hosts that wait for approval are not counted. */
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
      .describe('The address that all copies have in common; empty where they may lie anywhere.'),
    ...newestFields,
    hosts: count,
    outdated_hosts: count,
    oldest_published_at: timestamp.nullable().describe('The date of the oldest copy.'),
  })
  .meta({ id: 'FleetRepository' });

/** What the list of the fleet's repositories can be asked. */
export const fleetRepositoryQuerySchema = z.strictObject({
  ...paging,
  outdated: queryFlag.optional().describe('Only those that some host is behind with.'),
});

/** What `hostRepositorySchema` lets through. */
export type HostRepository = z.output<typeof hostRepositorySchema>;
/** What `fleetRepositorySchema` lets through. */
export type FleetRepository = z.output<typeof fleetRepositorySchema>;
