import type { InstalledPackage, Platform, Repository, Snapshot, Upgrade } from '@plimsoll/model';

/** A package of a system: its newest version, and an older one that some hosts have. */
export interface SystemPackage {
  readonly name: string;
  readonly version: string;
  /** Absent: every host has the newest version. */
  readonly older?: string;
  /** Default: the name. */
  readonly sourceName?: string;
  /** A third party that publishes it; absent: the distribution. */
  readonly vendor?: string;
}

/** The parts of a fictitious system. */
export interface SystemParts {
  readonly platform: Pick<
    Platform,
    'osFamily' | 'osId' | 'osVersionId' | 'osVersion' | 'osCodename' | 'osPrettyName' | 'architecture'
  >;
  /** rpm vendor or apt origin of the distribution's packages. */
  readonly vendor: string;
  readonly suite: string;
  readonly packages: readonly SystemPackage[];
  readonly kernel: Snapshot['kernel'];
  readonly repositories: readonly Repository[];
  /** The repository of security updates, by its name in upgrades. */
  readonly securityRepository: string;
  /** The ids of the Release files or repositories whose times a host reports. */
  readonly refreshedIds: readonly string[];
}

const hourMs = 3_600_000;

/** A host of a system, fully patched, with every section known and package lists from this morning. */
export function patchedHost(parts: SystemParts, now: Date): Snapshot {
  const { platform, packages, kernel, repositories, refreshedIds } = parts;
  return {
    schemaVersion: 1,
    collectedAt: now,
    collectorVersion: 'seed/2',
    platform: { ...platform, hostname: '', machineId: '', virtualization: 'kvm', ipAddresses: [] },
    packages: packages.map((one) => installed(parts, one)),
    upgrades: [],
    kernel,
    services: { restartRequired: 'no', toRestart: [] },
    repositories,
    moduleStreams: [],
    subscription: null,
    failures: [],
    observed: {
      bootId: 'seed',
      bootedAt: new Date(now.getTime() - 40 * 24 * hourMs),
      refreshed: refreshedIds.map((repositoryId) => ({
        repositoryId,
        at: new Date(now.getTime() - 2 * hourMs),
        publishedAt: new Date(now.getTime() - 8 * hourMs),
        validUntil: null,
        error: '',
      })),
    },
  };
}

/** A package of a system as a host reports it. */
export function installed(
  { platform, vendor, suite }: SystemParts,
  one: SystemPackage,
  version = one.version,
): InstalledPackage {
  return {
    name: one.name,
    architecture: platform.architecture,
    version,
    sourceName: one.sourceName ?? one.name,
    sourceVersion: version,
    vendor: one.vendor ?? vendor,
    module: '',
    held: false,
    installedAt: null,
    signingKey: '',
    suite,
  };
}

/** The update that the package manager offers from a package's older version to its newest. */
export function offered(parts: SystemParts, one: SystemPackage, isSecurity = true): Upgrade {
  return {
    name: one.name,
    architecture: parts.platform.architecture,
    installedVersion: one.older ?? '',
    candidateVersion: one.version,
    repository: parts.securityRepository,
    isSecurity,
    held: false,
    phased: false,
    sourceName: one.sourceName ?? one.name,
    sourceVersion: one.version,
    suite: parts.suite === '' ? '' : `${parts.suite}-security`,
    origin: parts.vendor,
    advisoryIds: [],
  };
}

/** A kernel package with its `uname -r`. */
export interface SystemKernel extends SystemPackage {
  readonly release: string;
}

/**
 * The kernel facts of a host that runs `running`, reports `runningVersion` for it, and has `kernels`
 * installed.
 */
export function kernelFacts(
  running: SystemKernel,
  runningVersion: string,
  kernels: readonly SystemKernel[],
): Snapshot['kernel'] {
  return {
    runningRelease: running.release,
    runningVersion,
    runningPackage: running.name,
    installed: kernels.map(({ name, version, release }) => ({
      package: name,
      version,
      release,
      defaultBoot: 'unknown',
    })),
    rebootRequired: 'no',
    rebootPackages: [],
    livepatch: '',
    livepatchedCves: [],
  };
}
