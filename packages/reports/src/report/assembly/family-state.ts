import type { SectionFailure } from '@plimsoll/model';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { SectionName } from '../section-registry.ts';
import type { SubscriptionFacts } from '../sections/pro.ts';
import type { KernelPackage } from './kernel-fields.ts';

/** What only one family's sections say. */
export interface FamilyState {
  readonly packages: SnapshotFields['packages'];
  /** Where each of `packages` stands in the report. */
  readonly packageLines: readonly number[];
  readonly upgrades: SnapshotFields['upgradable'];
  /** Where each of `upgrades` stands in the report. */
  readonly upgradeLines: readonly number[];
  readonly kernels: readonly KernelPackage[];
  readonly repositories: SnapshotFields['repositories'];
  readonly subscription: SubscriptionFacts | null;
  readonly failures: readonly SectionFailure[];
  /** From which section a field of the snapshot comes. */
  readonly sectionsOfFields: readonly (readonly [string, SectionName])[];
}
