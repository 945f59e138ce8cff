/** Why a host's copy of a repository is judged as it is. */
export const copyReasons = [
  /** Past its own Valid-Until. */
  'expired',
  /** Older than the newest known copy by more than is allowed. */
  'behind',
  /** The host has none. */
  'never_fetched',
  /** The host knows why the last fetch failed. */
  'failed',
  /** The host's other repositories were fetched long after it. */
  'left_behind',
  /** Its collector or the repository states no date. */
  'no_date',
  /** Its date is in the future. */
  'future_date',
  /** Neither a publisher nor three hosts tell a newest date. */
  'nothing_to_compare',
  /** As new as the newest known copy, within what is allowed. */
  'as_new',
  /** There is nothing to compare it with, but its own Valid-Until is to come. */
  'still_valid',
] as const;
export type CopyReason = (typeof copyReasons)[number];
