import type {
  Advisory,
  InstalledPackage,
  PackageVersionId,
  Platform,
  Release,
  Snapshot,
  TriState,
  Upgrade,
} from '@plimsoll/model';
import {
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

/** An rpm host with what is known of its packages. */
export interface RpmHost {
  readonly release: string;
  readonly packages: readonly InstalledPackage[];
  readonly advisories?: readonly Advisory[];
  readonly running?: string;
  readonly upgrades?: readonly Upgrade[];
  readonly virtualization?: string;
  readonly facts?: Partial<Pick<HostFacts, 'bootedAt' | 'coreUpdates'>> & {
    readonly rebootRequired?: TriState;
  };
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

/** Assesses a host as the service does: classify, match, find the running kernel. */
export function assessRpm(host: RpmHost): Assessment {
  const release = host.release as Release;
  const advisories = host.advisories ?? [];
  const { rebootRequired = 'no', ...ownFacts } = host.facts ?? {};
  const kernel = { ...noKernelFacts, rebootRequired, runningRelease: host.running ?? '' };
  const virtualization = host.virtualization ?? 'kvm';
  const assess = (subject: PackageSubject, id: number): AssessedPackage => {
    const classification = classifyPackage(subject, release);
    const name = classification.kind === 'comparable' ? classification.matchName : '';
    const statements = rpmStatements(advisories, host.release, name, subject.sourceName).map((statement) =>
      inTermsOf(statement, subject),
    );
    return {
      ...subject,
      id: id as PackageVersionId,
      verdict: verdictOf(classification),
      statements: matchPackage(matchable(classification, subject.architecture), statements, () => false),
      folded: [],
    };
  };
  const snapshot = {
    platform: { ...platformOf(host.release), virtualization },
    packages: host.packages,
    kernel,
  } as unknown as Snapshot; // What finding the running kernel reads of it.
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
    held: new Set(),
    ...ownFacts,
  };
  return assessHost({
    packages: host.packages.map((subject, index) => assess(subject, index + 1)),
    runningKernel: running.kind === 'not_installed' ? assess(running.subject, 10_000) : null,
    facts,
  });
}

/** What affects each package: `name advisory state`, sorted. */
export function lines(host: RpmHost): readonly string[] {
  return assessRpm(host)
    .findings.flatMap(({ name, architecture, advisories }) =>
      advisories.map(
        ({ statement, fixState }) => `${name}.${architecture} ${statement.externalId} ${fixState}`,
      ),
    )
    .sort();
}
