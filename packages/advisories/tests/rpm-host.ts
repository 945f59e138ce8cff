import type {
  Advisory,
  InstalledPackage,
  Platform,
  Release,
  Statement,
  TriState,
  Upgrade,
} from '@plimsoll/model';
import { type AssessedHost, type Assessment, assessHost, type HostFacts } from '../src/index.ts';
import { assessed, installed, noKernelFacts, offered, platform } from './debian-host.ts';
import { rpmStatements } from './rpm-records.ts';

/** An installed rpm package of the distribution, by `name-[epoch:]version-release.arch`. */
export function rpm(nevra: string, rest: Partial<InstalledPackage> = {}): InstalledPackage {
  const [, name = '', version = '', architecture = ''] =
    /^(.+)-([^-]+-[^-]+)\.([a-z0-9_]+)$/.exec(nevra) ?? [];
  return installed(name, version, {}, { architecture, vendor: '', ...rest });
}

/** An update that the host is offered for an installed package. */
export function offer({ name, version, architecture }: InstalledPackage, candidateVersion: string): Upgrade {
  const rest = { architecture, repository: 'baseos', isSecurity: true, origin: '' };
  return offered(name, version, candidateVersion, rest);
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
  return platform('rpm', osIds[id] ?? id, {
    osVersionId: number,
    osVersion: number,
    architecture: 'x86_64',
    virtualization: 'kvm',
  });
}

/** Assesses a host as the service does. */
export function assessRpm(host: RpmHost): Assessment {
  return assessHost(assessedRpm(host));
}

/** See debian-host.ts. */
export function assessedRpm(host: RpmHost): AssessedHost {
  const { rebootRequired = 'no', ...facts } = host.facts ?? {};
  const { livepatchedCves = [], running: runningRelease = '', virtualization = 'kvm' } = host;
  return assessed({
    packages: host.packages,
    upgrades: host.upgrades ?? [],
    release: host.release as Release,
    platform: platformOf(host.release),
    virtualization,
    kernel: { ...noKernelFacts, rebootRequired, runningRelease, livepatchedCves },
    facts,
    find: (name, subject) => statementsOf(host, name, subject.sourceName),
  });
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
