import {
  type InstalledKernel,
  type KernelFacts,
  type ModuleStream,
  osFamilies,
  type Platform,
  type Repository,
  type SectionFailure,
  type ServiceFacts,
  type ServiceToRestart,
  type Subscription,
} from '@plimsoll/model';
import { isFlag, isText, listOf, missingOr, nullOr, objectOf, wordOf } from './json-checks.ts';
import type { StoredCoreInstall, StoredFacts } from './stored-facts.ts';

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
