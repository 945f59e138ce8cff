import type { FleetRepository, HostRepository } from '@plimsoll/contract';
import type { HostRepositoryRow, FleetRepository as StoredRepository } from '@plimsoll/db';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import { findHost } from '../hosts/find-host.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { copySentence } from './copy-sentence.ts';

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
export const listRepositories: ReadHandler<'listRepositories'> = async (request, { stores }) => {
  const { scope } = request.caller;
  const page = askedPage(request, '/api/v1/repositories', cursorSchema);
  const outdatedOnly = request.query.outdated ?? false;
  const [found, total] = await Promise.all([
    stores.repositories.ofFleet({ scope, limit: page.limit + 1, after: page.after, outdatedOnly }),
    stores.repositories.countOfFleet(scope, outdatedOnly),
  ]);
  const { rows, headers } = page.of(found, total, ({ name, id }) => ({ name, id }));
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
    ...newestAnswer(copy),
    hosts_with_newer: copy.hostsWithNewer,
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The newest copy that is known; one that only few hosts have is not hidden from a reader who sees these hosts. Hosts that are
 * ahead by hours are no other source.
 */
function newestAnswer({
  newestAt,
  newestSource,
  seenAt,
}: Pick<StoredRepository, 'newestAt' | 'newestSource' | 'seenAt'>) {
  const at = newestAt === null || (seenAt !== null && seenAt > newestAt) ? seenAt : newestAt;
  const isAhead = at !== null && (newestAt === null || at.getTime() - newestAt.getTime() > dayMs);
  return {
    newest_known_at: at?.toISOString() ?? null,
    newest_known_source: isAhead ? ('few_hosts' as const) : newestSource,
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
    ...newestAnswer(repository),
    hosts: repository.hosts,
    outdated_hosts: repository.outdatedHosts,
    oldest_published_at: repository.oldestAt?.toISOString() ?? null,
  };
}
