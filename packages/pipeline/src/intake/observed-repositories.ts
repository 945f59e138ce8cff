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

/**
 * When the oldest package list of a host was fetched, so that a single outdated list shows; null if the report does not
 * say. For several times of one repository the newest counts, because a package manager may keep an older copy.
 */
export function oldestListAt({ refreshed }: Observation): Date | null {
  const newest = new Map<string, Date>();
  for (const { repositoryId, at } of refreshed) {
    const other = newest.get(repositoryId);
    if (at !== null && (other === undefined || at > other)) newest.set(repositoryId, at);
  }
  return [...newest.values()].reduce<Date | null>(
    (oldest, at) => (oldest === null || at < oldest ? at : oldest),
    null,
  );
}
