import type {
  Advisory,
  InstalledPackage,
  KernelFacts,
  Release,
  Subscription,
  Upgrade,
} from '@plimsoll/model';
import {
  type AssessedHost,
  assessHost,
  type Distribution,
  distributionOf,
  type HostFacts,
  selectFindings,
} from '../src/index.ts';
import * as debian from './debian-host.ts';

export const jammy = 'ubuntu:22.04' as Release;
export const noble = 'ubuntu:24.04' as Release;
export const focal = 'ubuntu:20.04' as Release;

/** Ubuntu, from the registry. */
export function ubuntu(): Distribution {
  const distribution = distributionOf(jammy);
  if (distribution === null) throw new Error('Ubuntu is not registered');
  return distribution;
}

/** An installed package of Ubuntu's archive; default source: the package itself. */
export function installed(
  name: string,
  version: string,
  source: { name?: string; version?: string } = {},
  rest: Partial<InstalledPackage> = {},
): InstalledPackage {
  return debian.installed(name, version, source, { vendor: 'Ubuntu', ...rest });
}

/** An image package of Ubuntu's signed kernels; from the source `line`, default: the release's own. */
export function kernelImage(
  release: string,
  version: string,
  line = '',
  rest: Partial<InstalledPackage> = {},
): InstalledPackage {
  return installed(`linux-image-${release}`, version, { name: `linux-signed${line}` }, rest);
}

/** An offered update; default source: the package itself. */
export function offered(name: string, from: string, to: string, rest: Partial<Upgrade> = {}): Upgrade {
  const origin = { repository: 'Ubuntu:22.04/jammy-security', suite: 'jammy-security', origin: 'Ubuntu' };
  return debian.offered(name, from, to, { ...origin, ...rest });
}

/** Kernel facts of a host that runs one of Ubuntu's kernels: `5.15.0-69-generic` with upload `76`. */
export function running(release: string, upload: string, rest: Partial<KernelFacts> = {}): KernelFacts {
  const runningVersion = `#${upload}-Ubuntu SMP Fri Mar 17 17:19:29 UTC 2023`;
  return { ...debian.noKernelFacts, runningRelease: release, runningVersion, rebootRequired: 'no', ...rest };
}

/** A host attached to Ubuntu Pro with some services enabled. */
export function pro(...services: readonly string[]): Subscription {
  return { kind: 'ubuntu-pro', attached: true, services };
}

export const unattached: Subscription = { kind: 'ubuntu-pro', attached: false, services: [] };

/** The description of a host; default release: Ubuntu 22.04. */
export type UbuntuHost = debian.DebianHost & { readonly subscription?: HostFacts['subscription'] };

/** See debian-host.ts. */
export function assessed({ subscription = null, ...host }: UbuntuHost): AssessedHost {
  return debian.assessed({ release: jammy, ...host, facts: { subscription, ...host.facts } });
}

/** `ID package` of every advisory of every finding, including hidden and unfixed ones. */
export function lines(host: UbuntuHost): readonly string[] {
  const { findings } = assessHost(assessed(host));
  return selectFindings(findings, { includeUnfixed: true, includeHidden: true }).flatMap(
    ({ name, advisories }) => advisories.map(({ statement: { externalId } }) => `${externalId} ${name}`),
  );
}

/** The `lines` about one package that a few advisories may affect. */
export function affecting(
  subject: InstalledPackage,
  advisories: readonly Advisory[],
  release: Release = jammy,
): readonly string[] {
  return lines({ packages: [subject], advisories, release });
}
