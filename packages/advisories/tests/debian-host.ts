import type {
  Advisory,
  InstalledPackage,
  KernelFacts,
  OsFamily,
  PackageVersionId,
  Platform,
  Release,
  Snapshot,
  Statement,
  Upgrade,
} from '@plimsoll/model';
import {
  type AssessedHost,
  type AssessedPackage,
  classifyPackage,
  type HostFacts,
  inTermsOf,
  matchVersion,
  type PackageSubject,
  readOffer,
  runningKernelSubject,
  verdictOf,
} from '../src/index.ts';
import { judgedBy, statementsAbout } from './debian-records.ts';
import { storedStatement } from './stored-statements.ts';

export const bookworm = 'debian:12' as Release;

/** An installed package; by default it is its own source. */
export function installed(
  name: string,
  version: string,
  source: { name?: string; version?: string } = {},
  rest: Partial<InstalledPackage> = {},
): InstalledPackage {
  return {
    name,
    architecture: 'amd64',
    version,
    sourceName: source.name ?? name,
    sourceVersion: source.version ?? version,
    vendor: 'Debian',
    module: '',
    held: false,
    installedAt: null,
    signingKey: '',
    suite: '',
    ...rest,
  };
}

/** A platform of which nothing else is known. */
export function platform(osFamily: OsFamily, osId: string, rest: Partial<Platform> = {}): Platform {
  return {
    osFamily,
    osId,
    osVersionId: '',
    osVersion: '',
    osCodename: '',
    osPrettyName: '',
    architecture: '',
    hostname: '',
    machineId: '',
    virtualization: '',
    ipAddresses: [],
    ...rest,
  };
}

/** A package of Debian's signed kernel images. */
export function kernelImage(
  release: string,
  version: string,
  rest: Partial<InstalledPackage> = {},
): InstalledPackage {
  const source = { name: 'linux-signed-amd64', version: version.replace('-', '+') };
  return installed(`linux-image-${release}`, version, source, rest);
}

/** An offered update; by default it is its own source. */
export function offered(name: string, from: string, to: string, rest: Partial<Upgrade> = {}): Upgrade {
  return {
    name,
    architecture: 'amd64',
    installedVersion: from,
    candidateVersion: to,
    repository: 'Debian-Security:12/oldstable-security',
    isSecurity: false,
    held: false,
    phased: false,
    sourceName: name,
    sourceVersion: to,
    suite: '',
    origin: 'Debian',
    advisoryIds: [],
    ...rest,
  };
}

export const noKernelFacts: KernelFacts = {
  runningRelease: '',
  runningVersion: '',
  runningPackage: '',
  installed: [],
  rebootRequired: 'unknown',
  rebootPackages: [],
  livepatch: '',
  livepatchedCves: [],
};

/** Kernel facts of a host with a running Debian kernel and no reboot flag. */
export function running(release: string, version: string, rest: Partial<KernelFacts> = {}): KernelFacts {
  const runningVersion = `#1 SMP PREEMPT_DYNAMIC Debian ${version} (2025-01-02)`;
  return { ...noKernelFacts, runningRelease: release, runningVersion, rebootRequired: 'no', ...rest };
}

/** A statement about a Debian package; see storedStatement. */
export function statement(externalId: string, fix: string | null, rest: Partial<Statement> = {}): Statement {
  return storedStatement('dpkg', externalId, fix, rest);
}

/** A host with its snapshot data and the statements about its packages' sources. */
export interface DebianHost {
  readonly packages: readonly InstalledPackage[];
  readonly upgrades?: readonly Upgrade[];
  readonly kernel?: KernelFacts;
  readonly virtualization?: string;
  readonly facts?: Partial<HostFacts>;
  /** By match name; or complete records. */
  readonly statements?: Readonly<Record<string, readonly Statement[]>>;
  readonly advisories?: readonly Advisory[];
  readonly release?: Release;
  /** Default: as the release names itself. */
  readonly platform?: Partial<Platform>;
  /** The statements about a package, where records of CVEs judge none; instead of `statements` and `advisories`. */
  readonly find?: (matchName: string, subject: PackageSubject) => readonly Statement[];
}

/** Builds the input of assessHost as the service does: classify, match, find the running kernel. */
export function assessed(host: DebianHost): AssessedHost {
  const release = host.release ?? bookworm;
  const advisories = host.advisories ?? [];
  const judged = host.find === undefined ? judgedBy(advisories, release) : () => false;
  const assess = (subject: PackageSubject, id: number): AssessedPackage => {
    const classification = classifyPackage(subject, release);
    const verdict = verdictOf(classification);
    const { matchName: name, key: matchKey } =
      classification.kind === 'comparable' ? classification : { matchName: '', key: null };
    const all =
      host.find?.(name, subject) ?? host.statements?.[name] ?? statementsAbout(advisories, release, name);
    return {
      ...subject,
      id: id as PackageVersionId,
      verdict,
      statements: matchVersion({ ...subject, release, verdict, matchKey }, all, judged).map((one) =>
        inTermsOf(one, subject),
      ),
      release,
      folded: [],
    };
  };
  const kernel = host.kernel ?? noKernelFacts;
  const virtualization = host.virtualization ?? 'kvm';
  const snapshot = {
    platform: {
      osId: release.split(':')[0],
      osVersionId: release.split(':')[1],
      ...host.platform,
      virtualization,
    },
    packages: host.packages,
    kernel,
  } as unknown as Snapshot; // The fields that finding the running kernel reads.
  const kernelSubject = runningKernelSubject(snapshot);
  return {
    packages: host.packages.map((subject, index) => assess(subject, index + 1)),
    runningKernel: kernelSubject.kind === 'not_installed' ? assess(kernelSubject.subject, 10_000) : null,
    facts: {
      release,
      virtualization,
      kernel,
      services: { restartRequired: 'no', toRestart: [] },
      subscription: null,
      failures: [],
      bootedAt: null,
      coreUpdates: [],
      upgrades: (host.upgrades ?? []).map((upgrade) => readOffer(upgrade, release)),
      updates: 'known',
      held: new Set(
        host.packages.flatMap(({ held }, index) => (held ? [(index + 1) as PackageVersionId] : [])),
      ),
      ...host.facts,
    },
  };
}
