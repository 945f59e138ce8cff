import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';

/** An update with its report line. */
export interface PlacedUpgrade {
  readonly fields: SnapshotFields['upgradable'][number];
  readonly line: number;
}
