import { compareText, type InstalledPackage, kernelLine, type Snapshot } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import type { PackageSubject } from '../distribution.ts';
import { compareReleases, orderedRelease, statedVersion } from '../kernel/kernel-release.ts';
import {
  bootingPackages,
  findRunningKernel,
  type KernelNaming,
  type KernelPackage,
  kernelNamingOf,
  type NoRunningKernel,
  type RunningKernel,
} from '../kernel/running-kernel.ts';
import { distributionOf, releaseOf } from '../registry/distributions.ts';
import type { HostFacts } from './host-facts.ts';
import type { PackageSummary } from './package-summary.ts';

/** An installed kernel. `key` orders it within its flavour; null if its version cannot be parsed. */
export interface HostKernel extends KernelPackage {
  readonly key: Uint8Array | null;
  /** Null if only the host's own list of kernels contains it. */
  readonly summary: PackageSummary | null;
}

/** The kernels of a host, including the running one. */
export interface HostKernels {
  /** The newest first; kernels without a readable version last. */
  readonly installed: readonly HostKernel[];
  readonly running: RunningKernel<HostKernel>;
  /** The package of the running kernel, judged or not; null if it has none, or no kernel is known to run. */
  readonly booted: PackageSummary | null;
  /** The same if its statements apply; null if it has no verdict. */
  readonly judged: PackageSummary | null;
  /** Kernels of the running flavour that are newer than the running one, the newest first. */
  readonly newer: readonly HostKernel[];
  /** Null when unknown. */
  readonly runningIsLatest: boolean | null;
  /** The same of those whose installation did not end: they may not boot. */
  readonly unfinished: readonly HostKernel[];
}

type Comparison = Pick<HostKernels, 'newer' | 'runningIsLatest' | 'unfinished'>;

/** The kernels of what has nothing to do with kernels. */
export const noKernels: HostKernels = {
  installed: [],
  running: { kind: 'none', reason: 'container' },
  booted: null,
  judged: null,
  newer: [],
  runningIsLatest: null,
  unfinished: [],
};

/**
 * Determines a host's kernels. `runningKernel` is the summary of the interned package of runningKernelSubject; null if
 * there was none to intern.
 */
export function readHostKernels(
  packages: readonly PackageSummary[],
  runningKernel: PackageSummary | null,
  facts: HostFacts,
): HostKernels {
  const distribution = facts.release === null ? null : distributionOf(facts.release);
  const naming = kernelNamingOf(distribution);
  const kernels = packages.flatMap((summary) => kernelOf(summary, distribution?.scheme ?? null) ?? []);
  const running = findRunningKernel({
    packages: kernels,
    kernel: facts.kernel,
    virtualization: facts.virtualization,
    namedVersion: distribution?.runningKernelVersion(facts.kernel) ?? null,
    ...naming,
  });
  const isRunning = (kernel: HostKernel): boolean => running.kind === 'installed' && running.image === kernel;
  const images = bootingPackages(kernels);
  const booting = [...images, ...kernels.filter((kernel) => isRunning(kernel) && !images.includes(kernel))];
  const listed = listedKernels(booting, facts, naming, distribution?.scheme ?? null);
  const installed = [...booting, ...listed].sort(newestFirst);
  const known = running.kind === 'installed' ? running.image.summary : runningKernel;
  const booted = running.kind === 'none' ? null : known;
  return {
    installed,
    running,
    booted,
    judged: booted?.standing === 'comparable' ? booted : null,
    ...(running.kind === 'none'
      ? compareByNames(installed, running.reason, facts)
      : compareToRunning(installed, running, distribution?.scheme ?? null, facts)),
  };
}

/** Those that are newer than the running kernel, by whether their installation ended. */
function newerOf(
  higher: readonly HostKernel[],
  { broken = [] }: HostFacts,
): Pick<Comparison, 'newer' | 'unfinished'> {
  const begun = new Set(
    broken.flatMap(({ name, version, state }) => (state === 'triggers' ? [] : `${name} ${version}`)),
  );
  const isUnfinished = ({ name, version }: HostKernel): boolean => begun.has(`${name} ${version}`);
  return { newer: higher.filter((kernel) => !isUnfinished(kernel)), unfinished: higher.filter(isUnfinished) };
}

function kernelOf(summary: PackageSummary, scheme: VersionScheme | null): HostKernel | null {
  if (summary.kernel === null) return null;
  const { name, architecture, version } = summary;
  const { release, flavour, role } = summary.kernel;
  return { name, architecture, version, release, flavour, role, key: keyOf(scheme, version), summary };
}

/** Kernels that appear only in the host's own list, such as those of packages with other names. */
function listedKernels(
  images: readonly HostKernel[],
  { kernel }: HostFacts,
  naming: KernelNaming,
  scheme: VersionScheme | null,
): readonly HostKernel[] {
  const names = new Set(images.map(({ name }) => name));
  const releases = new Set(images.map(({ release }) => release));
  return kernel.installed
    .filter(
      (listed) => !names.has(listed.package) && !(listed.package === '' && releases.has(listed.release)),
    )
    .map(({ package: name, version, release }) => {
      const flavour = naming.flavourOf(release) ?? '';
      return {
        name,
        architecture: '',
        version,
        release,
        flavour,
        key: keyOf(scheme, version),
        summary: null,
      };
    });
}

function compareToRunning(
  installed: readonly HostKernel[],
  running: Exclude<RunningKernel<HostKernel>, { kind: 'none' }>,
  scheme: VersionScheme | null,
  facts: HostFacts,
): Comparison {
  const { flavour } = running.kind === 'removed' ? running.like : running.image;
  const runningKey = running.kind === 'installed' ? running.image.key : keyOf(scheme, running.version);
  const isHigher = ({ key }: HostKernel): boolean =>
    key !== null && runningKey !== null && compareKeys(key, runningKey) > 0;
  // Another publisher's kernel need not state its package version, its name does; and its flavour can have the number of the build.
  const isOthers = running.kind === 'installed' && running.image.summary?.standing === 'unknown';
  const lineOf = isOthers ? kernelLine : (one: string) => one;
  const mates = installed.filter((kernel) => lineOf(kernel.flavour) === lineOf(flavour));
  const { newer, unfinished } = newerOf(mates.filter(isHigher), facts);
  if (newer.length > 0) return { newer, runningIsLatest: false, unfinished };
  const comparable =
    runningKey !== null &&
    mates.every(({ key, release }) => key !== null || isBelow(release, facts.kernel.runningRelease));
  const named = running.kind !== 'installed' || running.confirmed || isOthers;
  const isLatest = comparable && named && !(isOthers && isPassed(installed, facts.kernel.runningRelease));
  return { newer, runningIsLatest: isLatest ? true : null, unfinished };
}

/** Whether a release is lower by its name, as that of a file in /boot that no package owns any more. */
function isBelow(release: string, runningRelease: string): boolean {
  const [own, running] = [orderedRelease(release), orderedRelease(runningRelease)];
  return own !== null && own.line === running?.line && compareReleases(own, running) < 0;
}

/**
 * Whether a kernel of another line has a higher release, so that it may be what boots next. Flavours that differ in digits alone are
 * for other boards or processors: `rpi-v7` and `rpi-v8`.
 */
function isPassed(installed: readonly HostKernel[], runningRelease: string): boolean {
  const running = orderedRelease(runningRelease);
  const board = (flavour: string): string => flavour.replace(/\d/g, '');
  return installed.some(({ release }) => {
    const own = running === null ? null : orderedRelease(release);
    if (running === null || own === null || own.line === running.line) return false;
    return board(own.flavour) !== board(running.flavour) && compareReleases(own, running) > 0;
  });
}

/**
 * The same of a running kernel that is none of the distribution's packages: Proxmox's, a kernel built on the host, or one of an
 * unsupported distribution. By names and order alone: its releases are ordered as versions within their line.
 */
function compareByNames(
  installed: readonly HostKernel[],
  reason: NoRunningKernel,
  facts: HostFacts,
): Comparison {
  const { kernel } = facts;
  const running = kernel.runningRelease === '' ? null : orderedRelease(kernel.runningRelease);
  if (reason === 'container' || running === null) return { newer: [], runningIsLatest: null, unfinished: [] };
  const stated = statedVersion(kernel.runningVersion);
  const mates = installed.flatMap((one) => {
    const own = orderedRelease(one.release);
    return own?.line === running.line ? [{ one, own, order: compareReleases(own, running) }] : [];
  });
  const isRebuilt = ({ one, order }: (typeof mates)[number]): boolean =>
    order === 0 && stated !== null && one.version !== '' && one.version !== stated;
  const higher = mates
    .filter((mate) => mate.order > 0 || isRebuilt(mate))
    .sort((a, b) => compareReleases(b.own, a.own))
    .map(({ one }) => one);
  const { newer, unfinished } = newerOf(higher, facts);
  if (newer.length > 0) return { newer, runningIsLatest: false, unfinished };
  const isLatest = mates.some(({ order }) => order === 0) && !isPassed(installed, kernel.runningRelease);
  return { newer, runningIsLatest: isLatest ? true : null, unfinished };
}

function keyOf(scheme: VersionScheme | null, version: string): Uint8Array | null {
  const parsed = scheme === null ? null : versionKey(scheme, version);
  return parsed?.kind === 'key' ? parsed.key : null;
}

function newestFirst(a: HostKernel, b: HostKernel): number {
  const byName =
    compareText(a.name, b.name) ||
    compareText(a.architecture, b.architecture) ||
    compareText(a.version, b.version);
  if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || byName;
  return compareKeys(b.key, a.key) || byName;
}

/** The package version of a snapshot's running kernel. */
export type RunningKernelSubject =
  /** Not a package of the snapshot: nothing to match. */
  | { readonly kind: 'none'; readonly reason: NoRunningKernel | 'unsupported' }
  /** A package of the snapshot. */
  | { readonly kind: 'installed'; readonly subject: InstalledPackage }
  /** Not a package of the snapshot, but a build with a known version: intern and match it as the running kernel. */
  | {
      readonly kind: 'not_installed';
      readonly reason: 'replaced' | 'removed';
      readonly subject: PackageSubject;
    };

interface SnapshotKernel extends KernelPackage {
  readonly installed: InstalledPackage;
}

/** Finds the package version of the kernel that a snapshot reports as running. */
export function runningKernelSubject(snapshot: Snapshot): RunningKernelSubject {
  const verdict = releaseOf(snapshot.platform);
  const distribution = verdict.kind === 'release' ? distributionOf(verdict.release) : null;
  if (distribution === null) return { kind: 'none', reason: 'unsupported' };
  const packages: SnapshotKernel[] = [];
  for (const installed of snapshot.packages) {
    const { name, architecture, version } = installed;
    const kernel = distribution.kernelOf(name, installed);
    if (kernel !== null) packages.push({ name, architecture, version, ...kernel, installed });
  }
  const { runningRelease } = snapshot.kernel;
  const running = findRunningKernel({
    packages,
    kernel: snapshot.kernel,
    virtualization: snapshot.platform.virtualization,
    namedVersion: distribution.runningKernelVersion(snapshot.kernel),
    ...kernelNamingOf(distribution),
  });
  if (running.kind === 'none') return running;
  if (running.kind === 'installed') return { kind: 'installed', subject: running.image.installed };
  const like = running.kind === 'replaced' ? running.image : running.like;
  const subject = distribution.runningKernelSubject(like.installed, runningRelease, running.version);
  return { kind: 'not_installed', reason: running.kind, subject };
}
