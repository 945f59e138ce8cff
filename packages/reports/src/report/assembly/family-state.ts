import type { SectionFailure } from '@plimsoll/model';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { SectionName } from '../section-registry.ts';
import type { SubscriptionFacts } from '../sections/pro.ts';
import type { KernelPackage } from './kernel-fields.ts';

/** The facts from one family's sections. */
export interface FamilyState {
  readonly packages: SnapshotFields['packages'];
  /** The report line of each of `packages`. */
  readonly packageLines: readonly number[];
  readonly broken: SnapshotFields['broken'];
  readonly upgrades: SnapshotFields['upgradable'];
  /** The report line of each of `upgrades`. */
  readonly upgradeLines: readonly number[];
  readonly kernels: readonly KernelPackage[];
  readonly repositories: SnapshotFields['repositories'];
  readonly subscription: SubscriptionFacts | null;
  readonly failures: readonly SectionFailure[];
  /** The section that each field of the snapshot comes from. */
  readonly sectionsOfFields: readonly (readonly [string, SectionName])[];
}
