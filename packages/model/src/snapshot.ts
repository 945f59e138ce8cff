import type { OsFamily } from './package-family.ts';

/** One host's patch state at one moment, as its collector reported it. Versions and names are the host's own text. */
export interface Snapshot {
  readonly schemaVersion: number;
  readonly collectedAt: Date | null;
  readonly collectorVersion: string;
  readonly platform: Platform;
  readonly packages: readonly InstalledPackage[];
  readonly upgrades: readonly Upgrade[];
  readonly kernel: KernelFacts;
  readonly services: ServiceFacts;
  readonly repositories: readonly Repository[];
  readonly moduleStreams: readonly ModuleStream[];
  readonly subscription: Subscription | null;
  readonly failures: readonly SectionFailure[];
  readonly observed: Observation;
}

export interface Platform {
  readonly osFamily: OsFamily;
  /** `ID` of os-release, lower case: `debian`. */
  readonly osId: string;
  /** `VERSION_ID` of os-release: `12`; empty on rolling releases. */
  readonly osVersionId: string;
  /** The fullest version known: `12.8`. */
  readonly osVersion: string;
  readonly osCodename: string;
  readonly osPrettyName: string;
  /** As the package manager names it: `amd64`, `x86_64`. */
  readonly architecture: string;
  readonly hostname: string;
  readonly machineId: string;
  /** As systemd-detect-virt names it; empty if unknown. */
  readonly virtualization: string;
  readonly ipAddresses: readonly string[];
}

export interface InstalledPackage {
  readonly name: string;
  readonly architecture: string;
  /** Full: deb `[epoch:]upstream[-revision]`, rpm `[epoch:]version-release`. */
  readonly version: string;
  /** Never empty: the name where the collector left it out. */
  readonly sourceName: string;
  /** Never empty: the version where the collector left it out. */
  readonly sourceVersion: string;
  /** rpm vendor or apt origin; empty if unknown. */
  readonly vendor: string;
  /** rpm modularity label `name:stream:version:context`; empty if none. */
  readonly module: string;
  readonly held: boolean;
  readonly installedAt: Date | null;
  readonly signingKey: string;
  /** apt suite or archive it came from; empty if unknown. */
  readonly suite: string;
}

/** One update that the host's own package manager offers. */
export interface Upgrade {
  readonly name: string;
  readonly architecture: string;
  /** Empty where the package would be newly pulled in (a kernel of a new name). */
  readonly installedVersion: string;
  readonly candidateVersion: string;
  readonly repository: string;
  readonly isSecurity: boolean;
  readonly held: boolean;
  readonly phased: boolean;
  /** Never empty: the name where the collector left it out. */
  readonly sourceName: string;
  /** Never empty: the candidate version where the collector left it out. */
  readonly sourceVersion: string;
  readonly suite: string;
  readonly origin: string;
  readonly advisoryIds: readonly string[];
}

/** A host's answer that may be missing. */
export type TriState = 'yes' | 'no' | 'unknown';

export interface KernelFacts {
  /** `uname -r`; empty if unknown. */
  readonly runningRelease: string;
  /** `uname -v`; on Debian it names the running package version. */
  readonly runningVersion: string;
  readonly runningPackage: string;
  readonly installed: readonly InstalledKernel[];
  readonly rebootRequired: TriState;
  readonly rebootPackages: readonly string[];
  readonly livepatch: string;
  readonly livepatchedCves: readonly string[];
}

export interface InstalledKernel {
  readonly package: string;
  readonly version: string;
  /** The `uname -r` it boots as. */
  readonly release: string;
  readonly defaultBoot: TriState;
}

export interface ServiceFacts {
  readonly restartRequired: TriState;
  readonly toRestart: readonly ServiceToRestart[];
}

export interface ServiceToRestart {
  readonly name: string;
  readonly reason: string;
}

export interface Repository {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly suite: string;
  readonly origin: string;
}

export interface ModuleStream {
  readonly name: string;
  readonly stream: string;
  readonly enabled: boolean;
}

export interface Subscription {
  readonly kind: string;
  readonly attached: boolean;
  readonly services: readonly string[];
}

/** A section that could not be read: its facts are unknown, which is not the same as none. */
export interface SectionFailure {
  readonly section: string;
  readonly detail: string;
}

/** What moves by itself while the patch state stays the same. */
export interface Observation {
  readonly bootId: string;
  readonly bootedAt: Date | null;
  readonly refreshed: readonly RepositoryRefresh[];
}

/** What a host observed of one repository's metadata. At least one of `at`, `publishedAt` and `error` says something. */
export interface RepositoryRefresh {
  readonly repositoryId: string;
  /** When the host last fetched it, or learned that it had not changed; null if unknown. */
  readonly at: Date | null;
  /** When the publisher made it: `Date` of a Release file, revision or timestamp of repomd.xml; null if unknown. */
  readonly publishedAt: Date | null;
  /** `Valid-Until` of a Release file; null where there is none. */
  readonly validUntil: Date | null;
  /** Why the last fetch failed, in one line; empty where the host knows of no failure. */
  readonly error: string;
}
