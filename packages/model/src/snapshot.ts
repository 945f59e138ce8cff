import type { OsFamily } from './package-family.ts';

/** The patch state of one host at one moment, as its collector reported it. Versions and names are the host's text. */
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
  /** Installs that did not end, sorted by name. Absent: none is known. */
  readonly broken?: readonly BrokenPackage[];
}

export interface Platform {
  readonly osFamily: OsFamily;
  /** `ID` of os-release, lower case: `debian`. */
  readonly osId: string;
  /** `VERSION_ID` of os-release: `12`; empty on rolling releases. */
  readonly osVersionId: string;
  /** The most detailed version known: `12.8`. */
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
  /** `SUPPORT_END` of os-release: the first day without support, `2026-05-13`. Absent: not stated. */
  readonly supportEnd?: string;
  /** `OSTREE_VERSION` of os-release: the system is an image, which no package command changes. Absent: not stated. */
  readonly imageVersion?: string;
}

export interface InstalledPackage {
  readonly name: string;
  readonly architecture: string;
  /** Full: deb `[epoch:]upstream[-revision]`, rpm `[epoch:]version-release`. */
  readonly version: string;
  /** Never empty: falls back to the name. */
  readonly sourceName: string;
  /** Never empty: falls back to the version. */
  readonly sourceVersion: string;
  /** rpm vendor or apt origin; empty if unknown. */
  readonly vendor: string;
  /** rpm modularity label `name:stream:version:context`; empty if none. */
  readonly module: string;
  readonly held: boolean;
  readonly installedAt: Date | null;
  readonly signingKey: string;
  /** apt suite or archive of the package; empty if unknown. */
  readonly suite: string;
  /** `Label` of its repository's Release file. Absent if unknown. */
  readonly label?: string;
}

/**
 * What became of an installation that did not end, in the words of dpkg(1); `triggers`: configured, but other packages
 * still have to act on it; `duplicate`: rpm has a newer version of the package installed as well.
 */
export const brokenStates = [
  'unpacked',
  'half_configured',
  'half_installed',
  'triggers',
  'duplicate',
] as const;
export type BrokenState = (typeof brokenStates)[number];

/** A package whose installation did not end. */
export interface BrokenPackage {
  readonly name: string;
  readonly architecture: string;
  /** Empty if the package manager has none; then the package is not among `packages`. */
  readonly version: string;
  readonly state: BrokenState;
  /** deb: the version that was configured last; rpm: the newest installed one. Empty: there is none; null: not known. */
  readonly otherVersion: string | null;
}

/** One update that the host's own package manager offers. */
export interface Upgrade {
  readonly name: string;
  readonly architecture: string;
  /** Empty if the upgrade adds a new package (a kernel with a new name). */
  readonly installedVersion: string;
  readonly candidateVersion: string;
  readonly repository: string;
  readonly isSecurity: boolean;
  readonly held: boolean;
  readonly phased: boolean;
  /** Never empty: falls back to the name. */
  readonly sourceName: string;
  /** Never empty: falls back to the candidate version. */
  readonly sourceVersion: string;
  readonly suite: string;
  readonly origin: string;
  /** `Label` of its repository's Release file. Absent if unknown. */
  readonly label?: string;
  readonly advisoryIds: readonly string[];
}

/** A value that the host may not know. */
export type TriState = 'yes' | 'no' | 'unknown';

export interface KernelFacts {
  /** `uname -r`; empty if unknown. */
  readonly runningRelease: string;
  /** `uname -v`; on Debian it contains the running package version. */
  readonly runningVersion: string;
  readonly runningPackage: string;
  readonly installed: readonly InstalledKernel[];
  readonly rebootRequired: TriState;
  readonly rebootPackages: readonly string[];
  /** What `rebootRequired` rests on. Absent in reports that do not tell the sources apart. */
  readonly rebootAnswers?: readonly RebootAnswer[];
  /** The `uname -r` of the kernel that an operator told the boot loader to start. Absent: none is known. */
  readonly pinnedRelease?: string;
  readonly livepatch: string;
  readonly livepatchedCves: readonly string[];
}

/** Where a host says whether a reboot is due: the flag file of its packages, or a tool. */
export const rebootSources = ['flag', 'needrestart', 'needs_restarting'] as const;
export type RebootSource = (typeof rebootSources)[number];

/** What one source says. */
export interface RebootAnswer {
  readonly source: RebootSource;
  readonly due: TriState;
  /** What it names as the cause; empty if it names none. */
  readonly detail: string;
}

export interface InstalledKernel {
  readonly package: string;
  readonly version: string;
  /** Its `uname -r` once booted. */
  readonly release: string;
  readonly defaultBoot: TriState;
}

export interface ServiceFacts {
  readonly restartRequired: TriState;
  readonly toRestart: readonly ServiceToRestart[];
  /** The units of systemd that failed, sorted. Absent: not known. */
  readonly failedUnits?: readonly string[];
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

/** A section that could not be read: its facts are unknown, not empty. */
export interface SectionFailure {
  readonly section: string;
  readonly detail: string;
}

/** Values that change while the patch state stays the same. */
export interface Observation {
  readonly bootId: string;
  readonly bootedAt: Date | null;
  readonly refreshed: readonly RepositoryRefresh[];
}

/** Metadata state of one repository on a host. At least one of `at`, `publishedAt` and `error` is set. */
export interface RepositoryRefresh {
  readonly repositoryId: string;
  /** When the host last fetched it, or confirmed that it had not changed; null if unknown. */
  readonly at: Date | null;
  /** When the publisher created it: `Date` of a Release file, revision or timestamp of repomd.xml; null if unknown. */
  readonly publishedAt: Date | null;
  /** `Valid-Until` of a Release file; null if absent. */
  readonly validUntil: Date | null;
  /** The error of the last fetch, in one line; empty if no error is known. */
  readonly error: string;
}
