import type { PlannedHost } from '@plimsoll/contract';
import type { PlanEntry, PlanOptions } from './plan-host.ts';
import type { CheckedIdentity, NotCovered } from './plan-identities.ts';

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

/** A plan with how its hosts are recognised and named as of now, by host id. */
export interface RecognisedPlan extends PlanContent {
  readonly identities: ReadonlyMap<string, CheckedIdentity | NotCovered>;
  readonly inventoryNames: ReadonlyMap<string, string>;
}

/** The hosts of a plan as answers have them, in their order. */
export function hostsOf({ entries, identities, inventoryNames }: RecognisedPlan): PlannedHost[] {
  return entries.map(({ host, forensicsFirst }) => {
    const found = identities.get(host.host_id);
    return {
      ...host,
      inventory_name: inventoryNames.get(host.host_id) ?? null,
      forensics_first: [...forensicsFirst],
      not_covered: found !== undefined && 'code' in found ? found : null,
    };
  });
}
