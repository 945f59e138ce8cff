import { coreInstallsOf, firstInstallOf } from '@plimsoll/advisories';
import type {
  KernelFacts,
  ModuleStream,
  Platform,
  Repository,
  SectionFailure,
  ServiceFacts,
  Snapshot,
  Subscription,
} from '@plimsoll/model';
import { compareText } from '@plimsoll/model';

/**
 * The host facts of a snapshot that matching needs besides packages and upgrades. Stored as JSON, so dates are strings.
 */
export interface StoredFacts {
  readonly platform: Platform;
  readonly kernel: KernelFacts;
  readonly services: ServiceFacts;
  readonly repositories: readonly Repository[];
  readonly moduleStreams: readonly ModuleStream[];
  readonly subscription: Subscription | null;
  readonly failures: readonly SectionFailure[];
  /**
   * The packages that only a boot replaces, with the time each was installed (RFC 3339). Missing in facts from older
   * versions.
   */
  readonly coreInstalls?: readonly StoredCoreInstall[];
  /** The installation time of the oldest package (RFC 3339). Missing if unknown and in facts from older versions. */
  readonly firstInstallAt?: string;
  /** Vendors of installed packages, sorted; on apt, their Origins. Missing in facts from older versions. */
  readonly vendors?: readonly string[];
}

/** A CoreInstall as it is stored. */
export interface StoredCoreInstall {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly installedAt: string;
}

/** The facts to store for a snapshot, besides its packages and updates. */
export function storedFactsOf(snapshot: Snapshot, receivedAt: Date): StoredFacts {
  const { platform, kernel, services, repositories, moduleStreams, subscription, failures } = snapshot;
  const firstInstallAt = firstInstallOf(snapshot)?.toISOString();
  return {
    platform,
    kernel,
    services,
    repositories,
    moduleStreams,
    subscription,
    failures,
    coreInstalls: coreInstallsOf(snapshot, receivedAt).map((install) => ({
      ...install,
      installedAt: install.installedAt.toISOString(),
    })),
    ...(firstInstallAt === undefined ? {} : { firstInstallAt }),
    vendors: vendorsOf(snapshot),
  };
}

/** Above this number of vendors, a host's packages say nothing about individual repositories. */
const maxVendors = 200;

function vendorsOf({ packages }: Snapshot): readonly string[] {
  const vendors = [...new Set(packages.map(({ vendor }) => vendor))].filter((vendor) => vendor !== '');
  return vendors.sort(compareText).slice(0, maxVendors);
}
