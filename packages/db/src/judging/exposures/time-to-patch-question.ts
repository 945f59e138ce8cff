import type { HostId, Severity } from '@plimsoll/model';
import type { TagLists } from '../summary/tag-combinations.ts';

/** Which exposures to count. */
export interface TimeToPatchQuestion {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Of hosts with a tag of each list. */
  readonly tags: TagLists;
  /** The only hosts; absent: all. */
  readonly hosts?: readonly HostId[];
  /** Null: every one except `none`. */
  readonly severity: Severity | null;
  readonly now: Date;
}
