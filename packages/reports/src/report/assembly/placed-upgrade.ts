import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';

/** An update, and where in the report it stands. */
export interface PlacedUpgrade {
  readonly fields: SnapshotFields['upgradable'][number];
  readonly line: number;
}
