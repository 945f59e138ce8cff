import type { InstalledPackage, Snapshot, Upgrade } from '@plimsoll/model';
import type { Archive, Build } from './archive.ts';
import type { ModelHost } from './model-host.ts';
import type { Moment } from './moment.ts';
import { lastTurn, type Profile } from './profile.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Sources whose update takes effect with a reboot only. */
const coreSources: ReadonlySet<string> = new Set(['glibc', 'systemd', 'dbus', 'linux', 'kernel', 'openssl']);

/** The parts of a host's report. */
export interface HostParts {
  readonly identity: { readonly hostname: string; readonly machineId: string };
  readonly host: number;
  readonly model: ModelHost;
  readonly archive: Archive;
  readonly profile: Profile;
  readonly moment: Moment;
  /** Whether the host was installed with a package. */
  has(one: InstalledPackage): boolean;
}

/** The report of a host at a moment: its installed builds, the waiting updates, its last boot, its repositories. */
export function assembleSnapshot(parts: HostParts): Snapshot {
  const { identity, host, model, moment } = parts;
  const { snapshot } = model;
  const { packages, upgrades } = packagesOf(parts);
  return {
    ...snapshot,
    collectedAt: moment.at,
    collectorVersion: 'loadtest/1',
    platform: {
      ...snapshot.platform,
      ...identity,
      ipAddresses: [`10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`],
    },
    packages: [...packages, ...ownPackages(parts)],
    upgrades,
    kernel: { ...snapshot.kernel, ...rebootOf(parts) },
    observed: observationOf(parts),
  };
}

function packagesOf(parts: HostParts): Pick<Snapshot, 'packages' | 'upgrades'> {
  const { model, archive, profile, moment, has } = parts;
  const packages: InstalledPackage[] = [];
  const upgrades: Upgrade[] = [];
  // Kernels of another version are other packages, which a model has no list of; they stay as they are.
  const kernels = new Set(model.snapshot.kernel.installed.map((kernel) => kernel.package));
  const states = new Map<string, SourceState>();
  for (const [index, one] of model.snapshot.packages.entries()) {
    if (!has(one)) continue;
    if (kernels.has(one.name)) {
      packages.push(one);
      continue;
    }
    const state = states.get(one.sourceName) ?? stateOf(archive, profile, one.sourceName, moment.day);
    states.set(one.sourceName, state);
    const installed = { ...one, ...archive.versionOf(index, state.installed) };
    packages.push(installed);
    if (state.offered > state.installed)
      upgrades.push(
        upgradeOf(parts, installed, {
          ...archive.versionOf(index, state.offered),
          isSecurity: state.isSecurity,
        }),
      );
  }
  return { packages: withNewVersions(parts, packages), upgrades };
}

/** How many builds of a source a host has, and how many its repositories offer. */
interface SourceState {
  readonly installed: number;
  readonly offered: number;
  /** Whether one of the waiting builds is a security update. */
  readonly isSecurity: boolean;
}

function stateOf(archive: Archive, profile: Profile, source: string, day: number): SourceState {
  const builds = archive.buildsOf(source, day - profile.lagDays);
  const installed = installedBuilds(builds, profile, day);
  return {
    installed,
    offered: builds.length,
    isSecurity: builds.slice(installed).some((build) => build.isSecurity),
  };
}

function installedBuilds(builds: readonly Build[], { rhythm, phase, lagDays }: Profile, day: number): number {
  const all = lastTurn(rhythm.all, phase, day) - lagDays;
  const security = lastTurn(rhythm.security, phase, day) - lagDays;
  return builds.findLastIndex((build) => build.day <= all || (build.isSecurity && build.day <= security)) + 1;
}

function upgradeOf(
  { model }: HostParts,
  { name, architecture, version, sourceName }: InstalledPackage,
  to: { readonly version: string; readonly sourceVersion: string; readonly isSecurity: boolean },
): Upgrade {
  const { repositories } = model.snapshot;
  const security = repositories.find(({ id }) => id.includes('security'));
  const repository = (to.isSecurity ? security : undefined) ?? repositories[0];
  return {
    name,
    architecture,
    installedVersion: version,
    candidateVersion: to.version,
    repository: repository?.suite || repository?.id || '',
    isSecurity: to.isSecurity,
    held: false,
    phased: false,
    sourceName,
    sourceVersion: to.sourceVersion,
    suite: repository?.suite ?? '',
    origin: repository?.origin ?? '',
    advisoryIds: [],
  };
}

/** Gives the share of packages a build that was made for this host and moment. */
function withNewVersions(
  { host, moment: { newVersions = 0, revision = 0, day } }: HostParts,
  packages: readonly InstalledPackage[],
): readonly InstalledPackage[] {
  const wanted = Math.round(packages.length * newVersions);
  if (wanted === 0) return packages;
  const step = packages.length / wanted;
  const chosen = new Set(Array.from({ length: wanted }, (_, at) => Math.floor(at * step)));
  const build = `.${host}.${day}.${revision}`;
  return packages.map((one, index) =>
    chosen.has(index)
      ? { ...one, version: `${one.version}${build}`, sourceVersion: `${one.sourceVersion}${build}` }
      : one,
  );
}

function ownPackages({ model, moment: { revision = 0 } }: HostParts): readonly InstalledPackage[] {
  if (revision === 0) return [];
  const version = `1.${revision}-1`;
  return [
    {
      name: 'site-config',
      architecture: model.snapshot.platform.architecture,
      version,
      sourceName: 'site-config',
      sourceVersion: version,
      vendor: 'Example Corporation',
      module: '',
      held: false,
      installedAt: null,
      signingKey: '',
      suite: '',
    },
  ];
}

function lastBoot({ profile: { rhythm, phase }, moment }: HostParts): number {
  return Math.max(-400, lastTurn(rhythm.reboot, phase, moment.day));
}

/** Whether a core package was updated since the last boot. */
function rebootOf(parts: HostParts): Pick<Snapshot['kernel'], 'rebootRequired' | 'rebootPackages'> {
  const { model, archive, profile, moment, has } = parts;
  const boot = lastBoot(parts);
  const at = (source: string, day: number) => stateOf(archive, profile, source, day).installed;
  const updated = model.snapshot.packages.filter(
    (one) =>
      coreSources.has(one.sourceName) &&
      has(one) &&
      at(one.sourceName, moment.day) > at(one.sourceName, boot),
  );
  return {
    rebootRequired: updated.length > 0 ? 'yes' : 'no',
    rebootPackages: updated.map(({ name }) => name),
  };
}

function observationOf(parts: HostParts): Snapshot['observed'] {
  const { host, model, profile, moment } = parts;
  const boot = lastBoot(parts);
  const publishedAt = new Date(moment.at.getTime() - profile.lagDays * dayMs - 8 * hourMs);
  return {
    bootId: `boot-${host}-${boot}`,
    bootedAt: new Date(moment.at.getTime() - (moment.day - boot) * dayMs - 3 * hourMs),
    refreshed: model.snapshot.repositories.map(({ id }) => ({
      repositoryId: id,
      at: new Date(moment.at.getTime() - 2 * hourMs),
      publishedAt,
      validUntil: null,
      error: '',
    })),
  };
}
