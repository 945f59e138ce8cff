import type { HostId } from '@plimsoll/model';

/** Something that is stored and is not what the rules give. */
export interface StateDifference {
  /** Null if it concerns all hosts with a package version. */
  readonly hostId: HostId | null;
  readonly what: 'payload' | 'packages' | 'classification' | 'matches' | 'counts' | 'ledger';
  /** One sentence for operators. */
  readonly detail: string;
}
