import type { Release } from '@plimsoll/model';

/** A release of which something was judged by earlier rules. */
export interface OutdatedRelease {
  readonly id: number;
  readonly name: Release;
  /** Null: no feed could say anything of it. */
  readonly feedId: string | null;
}
