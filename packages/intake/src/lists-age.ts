import type { Observation } from '@plimsoll/model';

/** When the oldest of a host's package lists was fetched; null if it does not say. */
export function oldestListAt({ refreshed }: Observation): Date | null {
  return refreshed.reduce<Date | null>(
    (oldest, { at }) => (oldest === null || at < oldest ? at : oldest),
    null,
  );
}
