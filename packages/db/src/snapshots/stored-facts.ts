import { coreInstallsOf, firstInstallOf } from '@plimsoll/advisories';
import {
  compareText,
  type InstalledKernel,
  type KernelFacts,
  type ModuleStream,
  osFamilies,
  type Platform,
  type Repository,
  type SectionFailure,
  type ServiceFacts,
  type ServiceToRestart,
  type Snapshot,
  type Subscription,
} from '@plimsoll/model';
import { isFlag, isText, listOf, missingOr, nullOr, objectOf, wordOf } from './json-checks.ts';

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

/** The facts of a snapshot that judging its repositories needs. */
export type RepositoryFacts = Pick<StoredFacts, 'platform' | 'repositories' | 'vendors'>;

/** The facts of a snapshot that its findings, updates and reboots depend on. */
export type AssessedFacts = Omit<StoredFacts, 'repositories' | 'moduleStreams' | 'vendors'>;

/** Parses the stored facts of a snapshot, as any version of the service wrote them; throws on anything else. */
export function readFacts(stored: unknown): StoredFacts {
  if (isFacts(stored)) return stored;
  throw unreadable(stored);
}

/**
 * SQL: the columns of `snapshots s` that readAssessedFacts parses. Leaves out repositories, the larger half of a host's
 * facts.
 */
export const assessedFactsColumn = `s.facts - '{repositories,moduleStreams,vendors}'::text[]`;

/** Parses the facts that counting needs. */
export function readAssessedFacts(stored: unknown): AssessedFacts {
  if (isAssessedFacts(stored)) return stored;
  throw unreadable(stored);
}

/** SQL: the columns of `snapshots s` that readRepositoryFacts parses. */
export const repositoryFactsColumn = `s.facts - '{kernel,services,moduleStreams,failures,coreInstalls}'::text[]`;

/** Parses the facts that judging repositories needs. */
export function readRepositoryFacts(stored: unknown): RepositoryFacts {
  if (isRepositoryFacts(stored)) return stored;
  throw unreadable(stored);
}

/** Parses the platform. */
export function readPlatform(stored: unknown): Platform {
  if (isPlatform(stored)) return stored;
  throw unreadable(stored);
}

function unreadable(stored: unknown): Error {
  return new Error(`Stored facts of a snapshot cannot be read: ${JSON.stringify(stored)?.slice(0, 200)}`);
}

const isTristate = wordOf(['yes', 'no', 'unknown']);

const isPlatform = objectOf<Platform>({
  osFamily: wordOf(osFamilies),
  osId: isText,
  osVersionId: isText,
  osVersion: isText,
  osCodename: isText,
  osPrettyName: isText,
  architecture: isText,
  hostname: isText,
  machineId: isText,
  virtualization: isText,
  ipAddresses: listOf(isText),
});

const isRepository = objectOf<Repository>({
  id: isText,
  url: isText,
  enabled: isFlag,
  suite: isText,
  origin: isText,
});

const repositoryFields = {
  repositories: listOf(isRepository),
  vendors: missingOr(listOf(isText)),
};

const isRepositoryFacts = objectOf<RepositoryFacts>({ platform: isPlatform, ...repositoryFields });

const assessedFields = {
  platform: isPlatform,
  kernel: objectOf<KernelFacts>({
    runningRelease: isText,
    runningVersion: isText,
    runningPackage: isText,
    installed: listOf(
      objectOf<InstalledKernel>({
        package: isText,
        version: isText,
        release: isText,
        defaultBoot: isTristate,
      }),
    ),
    rebootRequired: isTristate,
    rebootPackages: listOf(isText),
    livepatch: isText,
    livepatchedCves: listOf(isText),
  }),
  services: objectOf<ServiceFacts>({
    restartRequired: isTristate,
    toRestart: listOf(objectOf<ServiceToRestart>({ name: isText, reason: isText })),
  }),
  subscription: nullOr(objectOf<Subscription>({ kind: isText, attached: isFlag, services: listOf(isText) })),
  failures: listOf(objectOf<SectionFailure>({ section: isText, detail: isText })),
  coreInstalls: missingOr(
    listOf(
      objectOf<StoredCoreInstall>({
        name: isText,
        architecture: isText,
        version: isText,
        installedAt: isText,
      }),
    ),
  ),
  firstInstallAt: missingOr(isText),
};

const isAssessedFacts = objectOf<AssessedFacts>(assessedFields);

const isFacts = objectOf<StoredFacts>({
  ...assessedFields,
  ...repositoryFields,
  moduleStreams: listOf(objectOf<ModuleStream>({ name: isText, stream: isText, enabled: isFlag })),
});
