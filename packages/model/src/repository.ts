/** Why a host's copy of a repository is judged as it is. */
export const copyReasons = [
  /** Past its own Valid-Until. */
  'expired',
  /** Older than the newest known copy by more than the allowed lag. */
  'behind',
  /** One or two approved hosts have a copy that is newer by more than the allowed lag. */
  'newer_on_few',
  /** The host has no copy. */
  'never_fetched',
  /** The host reported an error of the last fetch. */
  'failed',
  /** The host fetched its other repositories much later. */
  'left_behind',
  /** Neither the collector nor the repository states a date. */
  'no_date',
  /** Its date is in the future. */
  'future_date',
  /** No publisher date is known, and fewer than three hosts report a date. */
  'nothing_to_compare',
  /** As new as the newest known copy, within the allowed lag. */
  'as_new',
  /** There is nothing to compare it with, but its Valid-Until is in the future. */
  'still_valid',
] as const;
export type CopyReason = (typeof copyReasons)[number];
