import { type CountedHost, countHost } from '@plimsoll/advisories';
import { bitsOfGrounds, type DueState, type PackageVersionId } from '@plimsoll/model';

/** The counts that are stored for a host. */
export interface HostCounts {
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  readonly unfixed: number;
  readonly knownExploited: number;
  readonly unknown: number;
  readonly availableUpdates: number;
  readonly updatesKnown: boolean;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The one kernel whose advisories are findings; null if no kernel is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
  /** When the host's support ends, including extensions by its subscription; null if only the release decides. */
  readonly supportEndsAt: Date | null;
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
