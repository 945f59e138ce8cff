import type { Observation } from '@plimsoll/model';

/**
 * When the oldest of a host's package lists was fetched, so that one that stays behind among others is seen; null if it
 * does not say. Of several times of one repository the newest counts: a package manager may keep an older copy beside.
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
