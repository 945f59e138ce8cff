import type { Release } from '@plimsoll/model';

/** A release with data that older rules judged. */
export interface OutdatedRelease {
  readonly id: number;
  readonly name: Release;
  /** Null: no feed was assigned to the release. */
  readonly feedId: string | null;
}
