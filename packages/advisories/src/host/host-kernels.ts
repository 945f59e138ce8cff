import { compareText, type InstalledPackage, type Snapshot } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import type { PackageSubject } from '../distribution.ts';
import {
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
  /** Installed kernels of the running flavour whose installation did not end: they may not boot, and are not newer ones. */
  readonly unfinished: readonly PackageSummary[];
}

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
  const images = packages.flatMap((summary) => imageOf(summary, distribution?.scheme ?? null) ?? []);
  const running = findRunningKernel({
    images,
    kernel: facts.kernel,
    virtualization: facts.virtualization,
    namedVersion: distribution?.runningKernelVersion(facts.kernel) ?? null,
    ...naming,
  });
  const listed = listedKernels(images, facts, naming, distribution?.scheme ?? null);
  const installed = [...images, ...listed].sort(newestFirst);
  const known = running.kind === 'installed' ? running.image.summary : runningKernel;
  const booted = running.kind === 'none' ? null : known;
  return {
    installed,
    running,
    booted,
    judged: booted?.standing === 'comparable' ? booted : null,
    ...compareToRunning(installed, running, distribution?.scheme ?? null),
  };
}

function imageOf(summary: PackageSummary, scheme: VersionScheme | null): HostKernel | null {
  if (summary.kernel?.role !== 'image') return null;
  const { name, architecture, version } = summary;
  const { release, flavour } = summary.kernel;
  return { name, architecture, version, release, flavour, key: keyOf(scheme, version), summary };
}

/** Kernels that appear only in the host's own list, such as those of packages with other names. */
function listedKernels(
  images: readonly HostKernel[],
  { kernel }: HostFacts,
  naming: KernelNaming,
  scheme: VersionScheme | null,
): readonly HostKernel[] {
  const names = new Set(images.map(({ name }) => name));
  return kernel.installed
    .filter((listed) => !names.has(listed.package))
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
  running: RunningKernel<HostKernel>,
  scheme: VersionScheme | null,
): Pick<HostKernels, 'newer' | 'runningIsLatest' | 'unfinished'> {
  if (running.kind === 'none') return { newer: [], runningIsLatest: null, unfinished: [] };
  const { flavour } = running.kind === 'removed' ? running.like : running.image;
  const runningKey = running.kind === 'installed' ? running.image.key : keyOf(scheme, running.version);
  const ofFlavour = installed.filter((kernel) => kernel.flavour === flavour);
  const unfinished = ofFlavour.flatMap(({ summary }) => (summary?.reached == null ? [] : summary));
  const mates = ofFlavour.filter(({ summary }) => summary?.reached == null);
  const newer =
    runningKey === null ? [] : mates.filter(({ key }) => key !== null && compareKeys(key, runningKey) > 0);
  if (newer.length > 0) return { newer, runningIsLatest: false, unfinished };
  const comparable = runningKey !== null && mates.every(({ key }) => key !== null);
  const named = running.kind !== 'installed' || running.confirmed;
  return { newer, runningIsLatest: comparable && named ? true : null, unfinished };
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

interface SnapshotImage extends KernelPackage {
  readonly installed: InstalledPackage;
}

/** Finds the package version of the kernel that a snapshot reports as running. */
export function runningKernelSubject(snapshot: Snapshot): RunningKernelSubject {
  const verdict = releaseOf(snapshot.platform);
  const distribution = verdict.kind === 'release' ? distributionOf(verdict.release) : null;
  if (distribution === null) return { kind: 'none', reason: 'unsupported' };
  const images: SnapshotImage[] = [];
  for (const installed of snapshot.packages) {
    const { name, architecture, version } = installed;
    const image = distribution.kernelImageOf(name, installed);
    if (image !== null)
      images.push({ name, architecture, version, release: image.release, flavour: image.flavour, installed });
  }
  const { runningRelease } = snapshot.kernel;
  const running = findRunningKernel({
    images,
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
