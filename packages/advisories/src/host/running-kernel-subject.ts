import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import type { PackageSubject } from '../distribution.ts';
import { findRunningKernel, type KernelPackage, type NoRunningKernel } from '../kernel/running-kernel.ts';
import { distributionOf, releaseOf } from '../registry.ts';
import { kernelNamingOf } from './kernel-naming.ts';

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

/** Finds the package version of the kernel that a snapshot says is running. */
export function runningKernelSubject(snapshot: Snapshot): RunningKernelSubject {
  const verdict = releaseOf(snapshot.platform);
  const distribution = verdict.kind === 'release' ? distributionOf(verdict.release) : null;
  if (distribution === null) return { kind: 'none', reason: 'unsupported' };
  const images = snapshot.packages.flatMap((installed): SnapshotImage[] => {
    const image = distribution.kernelImageOf(installed.name, installed);
    const { name, architecture, version } = installed;
    return image === null
      ? []
      : [{ name, architecture, version, release: image.release, flavour: image.flavour, installed }];
  });
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
