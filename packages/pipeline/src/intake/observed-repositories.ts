import { createHash } from 'node:crypto';
import type { ObservedRepositories } from '@plimsoll/db';
import type { Observation } from '@plimsoll/model';

/** Maximum number of refreshes kept per host, and maximum length of a name; real hosts have a few dozen. */
const maxRefreshes = 500;
const maxIdLength = 512;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The stored part of an observation about the host's repositories. Its digest ignores when each was fetched, which
 * changes every hour, except the number of whole days by which one is behind the newest.
 */
export function observedRepositories({ refreshed }: Observation): ObservedRepositories {
  const kept = refreshed
    .filter(({ repositoryId }) => repositoryId.length <= maxIdLength)
    .slice(0, maxRefreshes);
  const newest = Math.max(...kept.map(({ at }) => at?.getTime() ?? 0));
  const judged = kept.map(({ repositoryId, at, publishedAt, validUntil, error }) => [
    repositoryId,
    at === null ? null : Math.floor((newest - at.getTime()) / dayMs),
    publishedAt,
    validUntil,
    error,
  ]);
  return { refreshed: kept, digest: createHash('sha256').update(JSON.stringify(judged)).digest() };
}
