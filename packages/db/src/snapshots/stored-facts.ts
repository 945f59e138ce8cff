import { compareText, coreInstallsOf, firstInstallOf } from '@plimsoll/advisories';
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

/** The host facts of a snapshot that matching needs besides packages and upgrades. Kept as JSON: no dates in it. */
export interface StoredFacts {
  readonly platform: Platform;
  readonly kernel: KernelFacts;
  readonly services: ServiceFacts;
  readonly repositories: readonly Repository[];
  readonly moduleStreams: readonly ModuleStream[];
  readonly subscription: Subscription | null;
  readonly failures: readonly SectionFailure[];
  /** The packages that only a boot replaces, and when each was installed (RFC 3339). Left out by older versions. */
  readonly coreInstalls?: readonly StoredCoreInstall[];
  /** When the oldest of all packages was installed (RFC 3339). Left out where nothing says, and by older versions. */
  readonly firstInstallAt?: string;
  /** Vendors of what is installed, sorted; on apt they are Origins. Left out by older versions. */
  readonly vendors?: readonly string[];
}

/** A CoreInstall as it is stored. */
export interface StoredCoreInstall {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly installedAt: string;
}

/** The facts that are stored of a snapshot besides its packages and updates. */
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

/** With more vendors, a host's packages say nothing about single repositories. */
const maxVendors = 200;

function vendorsOf({ packages }: Snapshot): readonly string[] {
  const vendors = [...new Set(packages.map(({ vendor }) => vendor))].filter((vendor) => vendor !== '');
  return vendors.sort(compareText).slice(0, maxVendors);
}
