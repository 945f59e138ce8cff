import type { PlanEntry, PlanOptions } from './plan-host.ts';

/** The hosts of a plan, and the ids without a host. */
export interface PlannedSelection {
  readonly entries: readonly PlanEntry[];
  readonly unknown: readonly string[];
}

/** Everything a plan is made of. */
export interface PlanContent extends PlannedSelection {
  readonly madeAt: Date;
  readonly options: PlanOptions;
}
