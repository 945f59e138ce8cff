import type { Observation } from '@plimsoll/model';

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
