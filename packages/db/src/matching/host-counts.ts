import { type CountedHost, countHost, type FindingCounts, type HostTotals } from '@plimsoll/advisories';
import { bitsOfGrounds, type PackageVersionId } from '@plimsoll/model';

/** The counts that are stored for a host. */
export interface HostCounts
  extends FindingCounts,
    Omit<HostTotals, 'counts' | 'grounds' | 'judgedKernel' | 'disagreementCount'> {
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The one kernel whose advisories are findings; null if no kernel is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
}

/** Counts a host for its `host_state` row. Agrees with assessStoredHost. */
export function hostCountsOf(host: CountedHost): HostCounts {
  const { counts, grounds, judgedKernel, disagreementCount, ...totals } = countHost(host);
  return {
    ...counts,
    ...totals,
    grounds: bitsOfGrounds(grounds),
    judgedKernelId: judgedKernel,
    disagreements: disagreementCount,
  };
}
