import type {
  Advisory,
  InstalledPackage,
  PackageVersionId,
  Platform,
  Release,
  Snapshot,
  Statement,
  TriState,
  Upgrade,
} from '@plimsoll/model';
import {
  type AssessedHost,
  type AssessedPackage,
  type Assessment,
  assessHost,
  classifyPackage,
  type HostFacts,
  inTermsOf,
  matchPackage,
  type PackageSubject,
  readOffer,
  runningKernelSubject,
  verdictOf,
} from '../src/index.ts';
import { matchable, noKernelFacts } from './debian-host.ts';
import { rpmStatements } from './rpm-records.ts';

/** An installed rpm package of the distribution, by `name-[epoch:]version-release.arch`. */
export function rpm(nevra: string, rest: Partial<InstalledPackage> = {}): InstalledPackage {
  const [, name = '', version = '', architecture = ''] =
    /^(.+)-([^-]+-[^-]+)\.([a-z0-9_]+)$/.exec(nevra) ?? [];
  return {
    name,
    architecture,
    version,
    sourceName: name,
    sourceVersion: version,
    vendor: '',
    module: '',
    held: false,
    installedAt: null,
    signingKey: '',
    suite: '',
    ...rest,
  };
}

/** An update that the host is offered for an installed package. */
export function offer(installed: InstalledPackage, candidateVersion: string): Upgrade {
  return {
    name: installed.name,
    architecture: installed.architecture,
    installedVersion: installed.version,
    candidateVersion,
    repository: 'baseos',
    isSecurity: true,
    held: false,
    phased: false,
    sourceName: installed.name,
    sourceVersion: candidateVersion,
    suite: '',
    origin: '',
    advisoryIds: [],
  };
}

/** An rpm host with the known facts about its packages. */
export interface RpmHost {
  readonly release: string;
  readonly packages: readonly InstalledPackage[];
  readonly advisories?: readonly Advisory[];
  readonly running?: string;
  readonly upgrades?: readonly Upgrade[];
  readonly virtualization?: string;
  readonly livepatchedCves?: readonly string[];
  readonly facts?: Partial<Pick<HostFacts, 'bootedAt' | 'coreUpdates' | 'updates'>> & {
    readonly rebootRequired?: TriState;
  };
  /** By the name of a package or source rpm, instead of `advisories`. */
  readonly statements?: Readonly<Record<string, readonly Statement[]>>;
}

const osIds: Readonly<Record<string, string>> = {
  amazon: 'amzn',
  oracle: 'ol',
  suse: 'sles',
  opensuse: 'opensuse-leap',
};

/** The platform that runs a release. */
export function platformOf(release: string): Platform {
  const [id = '', number = ''] = release.split(':');
  return {
    osFamily: 'rpm',
    osId: osIds[id] ?? id,
    osVersionId: number,
    osVersion: number,
    osCodename: '',
    osPrettyName: '',
    architecture: 'x86_64',
    hostname: '',
    machineId: '',
    virtualization: 'kvm',
    ipAddresses: [],
  };
}

/** Assesses a host as the service does. */
export function assessRpm(host: RpmHost): Assessment {
  return assessHost(assessedRpm(host));
}

/** Builds the input of assessHost as the service does: classify, match, find the running kernel. */
export function assessedRpm(host: RpmHost): AssessedHost {
  const release = host.release as Release;
  const { rebootRequired = 'no', ...ownFacts } = host.facts ?? {};
  const { livepatchedCves = [], running: runningRelease = '', virtualization = 'kvm' } = host;
  const kernel = { ...noKernelFacts, rebootRequired, runningRelease, livepatchedCves };
  const assess = (subject: PackageSubject, id: number): AssessedPackage => {
    const classification = classifyPackage(subject, release);
    const name = classification.kind === 'comparable' ? classification.matchName : '';
    const statements = statementsOf(host, name, subject.sourceName).map((statement) =>
      inTermsOf(statement, subject),
    );
    return {
      ...subject,
      id: id as PackageVersionId,
      verdict: verdictOf(classification),
      statements: matchPackage(matchable(classification, subject.architecture), statements, () => false),
      release,
      folded: [],
    };
  };
  const snapshot = {
    platform: { ...platformOf(host.release), virtualization },
    packages: host.packages,
    kernel,
  } as unknown as Snapshot; // The fields that finding the running kernel reads.
  const running = runningKernelSubject(snapshot);
  const facts: HostFacts = {
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
    ...ownFacts,
  };
  return {
    packages: host.packages.map((subject, index) => assess(subject, index + 1)),
    runningKernel: running.kind === 'not_installed' ? assess(running.subject, 10_000) : null,
    facts,
  };
}

/** All statements about a package, and those that name its source rpm. */
function statementsOf(
  { statements, advisories = [], release }: RpmHost,
  name: string,
  sourceName: string,
): readonly Statement[] {
  if (statements === undefined) return rpmStatements(advisories, release, name, sourceName);
  const own = (statements[name] ?? []).filter(({ names }) => names === undefined);
  return [...own, ...(statements[sourceName] ?? []).filter(({ names }) => names !== undefined)];
}

/** The statements that affect each package: `name advisory state`, sorted. */
export function lines(host: RpmHost): readonly string[] {
  return assessRpm(host)
    .findings.flatMap(({ name, architecture, advisories }) =>
      advisories.map(
        ({ statement, fixState }) => `${name}.${architecture} ${statement.externalId} ${fixState}`,
      ),
    )
    .sort();
}
