import {
  coreInstallsOf,
  editionEndOf,
  firstInstallOf,
  plainOrigin,
  shownSubscription,
} from '@plimsoll/advisories';
import {
  type BrokenPackage,
  brokenStates,
  compareText,
  type InstalledKernel,
  type KernelFacts,
  type ModuleStream,
  osFamilies,
  type Platform,
  type RebootAnswer,
  type Repository,
  rebootSources,
  type SectionFailure,
  type ServiceFacts,
  type ServiceToRestart,
  type Snapshot,
  type Subscription,
} from '@plimsoll/model';

/** Whether a value parsed from JSON has the type. */
export type Check<T> = (value: unknown) => value is T;

/** Checks every listed field of an object. Allows other fields, because other versions may write more. */
export function objectOf<T extends object>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> {
  const names = Object.keys(fields);
  const checks = Object.values<Check<unknown>>(fields);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>; // Checked above.
    // A loop over two arrays for speed: counting calls this for every host.
    for (let n = 0; n < names.length; n++) if (!checks[n]?.(object[names[n] ?? ''])) return false;
    return true;
  };
}

/** Checks every entry of a list. */
function listOf<T>(entry: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(entry);
}

/** Allows the values that either of two checks allows. */
export function either<A, B>(one: Check<A>, other: Check<B>): Check<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

/** Allows null in addition. */
export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** Allows a missing field in addition. */
export function missingOr<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** Allows one of the given words. */
export function wordOf<W extends string>(words: readonly W[]): Check<W> {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is W => known.has(value);
}

export const isText: Check<string> = (value) => typeof value === 'string';

export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';

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
  /** Missing if there is none, and in facts from older versions. */
  readonly broken?: readonly BrokenPackage[];
  /**
   * The packages that only a boot replaces, with the time each was installed (RFC 3339). Missing in facts from older
   * versions.
   */
  readonly coreInstalls?: readonly StoredCoreInstall[];
  /** The installation time of the oldest package (RFC 3339). Missing if unknown and in facts from older versions. */
  readonly firstInstallAt?: string;
  /** When support of its edition of the release ends (RFC 3339). Missing if with the release, and in facts from older versions. */
  readonly editionEnd?: string;
  /** Vendors of installed packages, sorted; on apt, their Origins. Missing in facts from older versions. */
  readonly vendors?: readonly string[];
}

/** A CoreInstall as it is stored. */
interface StoredCoreInstall {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly installedAt: string;
}

/** The facts to store for a snapshot, besides its packages and updates. */
export function storedFactsOf(snapshot: Snapshot, receivedAt: Date): StoredFacts {
  const { platform, kernel, services, repositories, moduleStreams, failures, broken } = snapshot;
  const firstInstallAt = firstInstallOf(snapshot)?.toISOString();
  const editionEnd = editionEndOf(platform)?.toISOString();
  return {
    platform,
    kernel,
    services,
    repositories,
    moduleStreams,
    subscription: shownSubscription(snapshot),
    failures,
    ...(broken === undefined ? {} : { broken }),
    coreInstalls: coreInstallsOf(snapshot, receivedAt).map((install) => ({
      ...install,
      installedAt: install.installedAt.toISOString(),
    })),
    ...(firstInstallAt === undefined ? {} : { firstInstallAt }),
    ...(editionEnd === undefined ? {} : { editionEnd }),
    vendors: vendorsOf(snapshot),
  };
}

/** Above this number of vendors, a host's packages say nothing about individual repositories. */
const maxVendors = 200;

function vendorsOf({ packages }: Snapshot): readonly string[] {
  const vendors = [...new Set(packages.map(({ vendor }) => plainOrigin(vendor)))].filter(
    (vendor) => vendor !== '',
  );
  return vendors.sort(compareText).slice(0, maxVendors);
}

/** The facts of a snapshot that judging its repositories needs. */
type RepositoryFacts = Pick<StoredFacts, 'platform' | 'repositories' | 'vendors' | 'failures'>;

/** The facts of a snapshot that its findings, updates and reboots depend on. */
export type AssessedFacts = Omit<StoredFacts, 'repositories' | 'moduleStreams' | 'vendors'>;

/** Parses the stored facts of a snapshot, as any version of the service wrote them; throws on anything else. */
export function readFacts(stored: unknown): StoredFacts {
  if (isFacts(stored)) return stored;
  throw unreadable(stored);
}

/** The facts that a host's counts depend on. Of the platform only what does: hosts often differ in the rest alone. */
export type CountedFacts = Omit<AssessedFacts, 'platform'> & {
  readonly platform: Pick<Platform, 'virtualization' | 'supportEnd'>;
};

/** SQL: the columns of `snapshots s` that readCountedFacts parses, as a text. */
export const countedFactsColumn = `jsonb_set(s.facts - '{repositories,moduleStreams,vendors}'::text[], '{platform}',
  jsonb_strip_nulls(jsonb_build_object('virtualization', s.facts #> '{platform,virtualization}',
    'supportEnd', s.facts #> '{platform,supportEnd}')))::text`;

/** Parses the facts that counting a host needs. */
export function readCountedFacts(stored: unknown): CountedFacts {
  if (isCountedFacts(stored)) return stored;
  throw unreadable(stored);
}

/**
 * SQL: the columns of `snapshots s` that readFindingFacts parses, as a text: equal for hosts whose findings depend on the
 * same facts. Joined as texts, which takes half as long as jsonb_build_object.
 */
export const findingFactsColumn = `'{"virtualization":' || coalesce(s.facts #> '{platform,virtualization}', 'null')::text
  || ',"kernel":' || coalesce(s.facts -> 'kernel', 'null')::text || ',"subscription":' || coalesce(s.facts -> 'subscription', 'null')::text
  || ',"failures":' || coalesce(s.facts -> 'failures', 'null')::text || '}'`;

/** Parses the facts that findings depend on. All others are those of a host that reports nothing of them. */
export function readFindingFacts(text: string): CountedFacts {
  const stored: unknown = JSON.parse(text);
  if (!isFindingFacts(stored)) throw unreadable(stored);
  const { virtualization, kernel, subscription, failures } = stored;
  return {
    platform: { virtualization },
    kernel,
    subscription,
    failures,
    services: { restartRequired: 'unknown', toRestart: [] },
  };
}

/** SQL: the columns of `snapshots s` that readRepositoryFacts parses. */
export const repositoryFactsColumn = `s.facts - '{kernel,services,moduleStreams,coreInstalls}'::text[]`;

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
  supportEnd: missingOr(isText),
  imageVersion: missingOr(isText),
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

const isFailures = listOf(objectOf<SectionFailure>({ section: isText, detail: isText }));

const isRepositoryFacts = objectOf<RepositoryFacts>({
  platform: isPlatform,
  ...repositoryFields,
  failures: isFailures,
});

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
    rebootAnswers: missingOr(
      listOf(objectOf<RebootAnswer>({ source: wordOf(rebootSources), due: isTristate, detail: isText })),
    ),
    pinnedRelease: missingOr(isText),
    livepatch: isText,
    livepatchedCves: listOf(isText),
  }),
  services: objectOf<ServiceFacts>({
    restartRequired: isTristate,
    toRestart: listOf(objectOf<ServiceToRestart>({ name: isText, reason: isText })),
    failedUnits: missingOr(listOf(isText)),
  }),
  subscription: nullOr(objectOf<Subscription>({ kind: isText, attached: isFlag, services: listOf(isText) })),
  failures: isFailures,
  broken: missingOr(
    listOf(
      objectOf<BrokenPackage>({
        name: isText,
        architecture: isText,
        version: isText,
        state: wordOf(brokenStates),
        otherVersion: nullOr(isText),
      }),
    ),
  ),
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
  editionEnd: missingOr(isText),
};

const isCountedFacts = objectOf<CountedFacts>({
  ...assessedFields,
  platform: objectOf<CountedFacts['platform']>({ virtualization: isText, supportEnd: missingOr(isText) }),
});

const isFindingFacts = objectOf<
  Pick<AssessedFacts, 'kernel' | 'subscription' | 'failures'> & Pick<Platform, 'virtualization'>
>({
  virtualization: isText,
  kernel: assessedFields.kernel,
  subscription: assessedFields.subscription,
  failures: assessedFields.failures,
});

const isFacts = objectOf<StoredFacts>({
  ...assessedFields,
  ...repositoryFields,
  moduleStreams: listOf(objectOf<ModuleStream>({ name: isText, stream: isText, enabled: isFlag })),
});
