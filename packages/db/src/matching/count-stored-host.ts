import { type CoreHistory, countHost, type HostUpgrade, type PackageSummary } from '@plimsoll/advisories';
import {
  bitsOfGrounds,
  type DueState,
  type Lifecycle,
  type PackageVersionId,
  type Release,
} from '@plimsoll/model';
import { toHostFacts } from './host-facts.ts';
import type { StoredFacts } from './stored-facts.ts';

/** The counts that are stored of a host. */
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
  /** The one kernel whose advisories are findings; null where none is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
  /** When the host's support ends, what its subscription adds included; null where its release alone decides. */
  readonly supportEndsAt: Date | null;
}

/** A snapshot's packages and facts, ready to be counted. */
export interface HostToCount {
  readonly release: Release;
  /** How long a feed says that the release is supported; null where none says. */
  readonly lifecycle: Lifecycle | null;
  readonly facts: StoredFacts;
  readonly packages: readonly PackageSummary[];
  readonly heldIds: ReadonlySet<PackageVersionId>;
  readonly runningKernel: PackageSummary | null;
  readonly upgrades: readonly HostUpgrade[];
  /** Null where nothing about reboots depends on it. */
  readonly coreHistory: CoreHistory | null;
}

/** Counts a host for its `host_state` row; agrees with assessStoredHost. */
export function countStoredHost(host: HostToCount): HostCounts {
  const { release, lifecycle, facts, packages, heldIds, runningKernel, upgrades, coreHistory } = host;
  const { counts, grounds, judgedKernel, disagreementCount, ...totals } = countHost({
    packages,
    runningKernel,
    facts: toHostFacts({
      release,
      lifecycle,
      facts,
      // When it was booted changes no count by itself; core packages that were updated since then may.
      bootedAt: null,
      coreHistory,
      upgrades,
      held: heldIds,
    }),
  });
  return {
    ...counts,
    ...totals,
    grounds: bitsOfGrounds(grounds),
    judgedKernelId: judgedKernel,
    disagreements: disagreementCount,
  };
}
