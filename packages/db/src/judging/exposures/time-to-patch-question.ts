import type { Severity } from '@plimsoll/model';
import type { TagLists } from '../summary/tag-combinations.ts';

/** Which exposures to count. */
export interface TimeToPatchQuestion {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Of hosts with a tag of each list. */
  readonly tags: TagLists;
  /** Null: every one except `none`. */
  readonly severity: Severity | null;
  readonly now: Date;
}
