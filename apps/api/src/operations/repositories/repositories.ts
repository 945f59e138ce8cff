import type { FleetRepository, HostRepository } from '@plimsoll/contract';
import type { HostRepositoryRow, FleetRepository as StoredRepository } from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import { findHost } from '../hosts/find-host.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { copySentence } from './copy-sentence.ts';

const defaultLimit = 100;
const cursorSchema = z.strictObject({ name: z.string(), id: z.int() });

/** GET /hosts/{id}/repositories */
export const listHostRepositories: Handler<'listHostRepositories'> = async (
  { params, caller },
  { stores },
) => {
  await findHost(stores.hosts, caller.scope, params.id);
  const copies = await stores.repositories.ofHost(caller.scope, params.id);
  const fetched = copies.flatMap(({ used, fetchedAt }) => (used && fetchedAt !== null ? [fetchedAt] : []));
  const newest = fetched.reduce<Date | null>((a, b) => (a === null || b > a ? b : a), null);
  return { kind: 'json', status: 200, body: copies.map((copy) => copyAnswer(copy, newest)) };
};

/** GET /repositories */
export const listRepositories: ReadHandler<'listRepositories'> = async (
  { query, origin, caller },
  { stores },
) => {
  const limit = query.limit ?? defaultLimit;
  const outdatedOnly = query.outdated ?? false;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, cursorSchema);
  const [found, total] = await Promise.all([
    stores.repositories.ofFleet({ scope: caller.scope, limit: limit + 1, after, outdatedOnly }),
    stores.repositories.countOfFleet(caller.scope, outdatedOnly),
  ]);
  const { rows, headers } = pageOf(found, {
    limit,
    total,
    cursorOf: ({ name, id }) => encodeCursor({ name, id }),
    place: { origin, path: '/api/v1/repositories', query },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(repositoryAnswer) };
};

function copyAnswer(copy: HostRepositoryRow, hostFetchedAt: Date | null): HostRepository {
  return {
    id: copy.source,
    url: copy.url,
    suite: copy.suite,
    origin: copy.origin,
    component: copy.component,
    enabled: copy.enabled,
    used: copy.used,
    published_at: copy.publishedAt?.toISOString() ?? null,
    valid_until: copy.validUntil?.toISOString() ?? null,
    fetched_at: copy.fetchedAt?.toISOString() ?? null,
    error: copy.error,
    state: copy.state,
    reason_code: copy.reason,
    reason: copySentence(copy, hostFetchedAt),
    max_lag_days: copy.maxLagDays,
    newest_known_at: copy.newestAt?.toISOString() ?? null,
    newest_known_source: copy.newestSource,
    hosts_with_newer: copy.hostsWithNewer,
  };
}

function repositoryAnswer(repository: StoredRepository): FleetRepository {
  return {
    id: repository.id,
    name: repository.name,
    origin: repository.origin,
    suite: repository.suite,
    component: repository.component,
    architecture: repository.architecture,
    address: repository.base,
    newest_known_at: repository.newestAt?.toISOString() ?? null,
    newest_known_source: repository.newestSource,
    hosts: repository.hosts,
    outdated_hosts: repository.outdatedHosts,
    oldest_published_at: repository.oldestAt?.toISOString() ?? null,
  };
}
