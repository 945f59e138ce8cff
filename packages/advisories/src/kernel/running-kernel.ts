import {
  compareText,
  type KernelFacts,
  type KernelImage,
  type KernelPart,
  type Verdict,
} from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import type { Distribution } from '../distribution.ts';
import { parseKernelRelease } from './kernel-release.ts';

/** An installed package that boots a kernel, or a part of one. */
export interface KernelPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly release: string;
  readonly flavour: string;
  /** Absent: it boots. */
  readonly role?: 'image' | 'part';
}

/**
 * A unified kernel image (`kernel-uki-virt`): kernel and initrd in one file that the firmware boots, so that no other
 * image need be installed. Confidential VMs of Red Hat have only this.
 */
const unifiedImage = /-uki-(?!virt-addons)/;

/** The packages that boot a kernel: every image, and unified ones of releases without another image. */
export function bootingPackages<Package extends KernelPackage>(
  packages: readonly Package[],
): readonly Package[] {
  const isImage = ({ role }: Package): boolean => role !== 'part';
  const releases = new Set(packages.filter(isImage).map(({ release }) => release));
  return packages.filter(
    (one) => isImage(one) || (unifiedImage.test(one.name) && !releases.has(one.release)),
  );
}

/** The installed kernel that is running. */
export type RunningKernel<Image extends KernelPackage> =
  | { readonly kind: 'none'; readonly reason: NoRunningKernel }
  /** `confirmed`: the running kernel reports the installed version; otherwise it reports none. */
  | { readonly kind: 'installed'; readonly image: Image; readonly confirmed: boolean }
  /** The installed package of the running release has another version than the running kernel. */
  | { readonly kind: 'replaced'; readonly image: Image; readonly version: string }
  /** The running release is no longer installed; `like` is an installed kernel of its flavour. */
  | { readonly kind: 'removed'; readonly like: Image; readonly version: string };

/**
 * `not_stated`: the host does not report its kernel. `from_outside`: the running kernel belongs to no installed
 * package.
 */
export type NoRunningKernel = 'container' | 'not_stated' | 'no_kernel_package' | 'from_outside';

/** The naming of a distribution's kernels. */
export interface KernelNaming {
  /** The flavour in a `uname -r`; null if it has none. */
  flavourOf(kernelRelease: string): string | null;
  /** Whether a `uname -r` identifies one build: then an installed kernel of the running release is the running one. */
  readonly releaseIsBuild: boolean;
  /** Orders two versions; those that cannot be parsed come last. */
  compareVersions(a: string, b: string): number;
}

/** The input for finding the running kernel. `packages` include parts. `namedVersion`: the package version that the kernel itself reports. */
interface RunningKernelQuery<Image extends KernelPackage> extends KernelNaming {
  readonly packages: readonly Image[];
  readonly kernel: KernelFacts;
  readonly virtualization: string;
  readonly namedVersion: string | null;
}

/**
 * Finds the running kernel among the installed ones, several of which can share a name. If nothing says which of several
 * builds of the running release it is, the lowest one is assumed: it has the most findings. A part of the running
 * release shows the kernel's build if no image of its flavour is installed. The order of `packages` does not matter.
 */
export function findRunningKernel<Image extends KernelPackage>(
  query: RunningKernelQuery<Image>,
): RunningKernel<Image> {
  const { kernel, namedVersion } = query;
  if (isContainer(query.virtualization)) return { kind: 'none', reason: 'container' };
  if (query.packages.length === 0) return { kind: 'none', reason: 'no_kernel_package' };
  if (kernel.runningRelease === '') return { kind: 'none', reason: 'not_stated' };
  const packages = [...query.packages].sort(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.architecture, b.architecture) ||
      compareText(a.version, b.version),
  );
  const images = bootingPackages(packages);
  const booting = images
    .filter(({ release }) => release === kernel.runningRelease)
    .sort((a, b) => query.compareVersions(a.version, b.version));
  const image =
    booting.find(({ name, version }) => name === kernel.runningPackage && version === namedVersion) ??
    booting.find(({ version }) => version === namedVersion) ??
    booting.find(({ name }) => name === kernel.runningPackage) ??
    booting[0];
  if (image !== undefined) {
    if (query.releaseIsBuild) return { kind: 'installed', image, confirmed: true };
    if (namedVersion === null) return { kind: 'installed', image, confirmed: false };
    if (image.version === namedVersion) return { kind: 'installed', image, confirmed: true };
    return { kind: 'replaced', image, version: namedVersion };
  }
  const flavour = query.flavourOf(kernel.runningRelease);
  const like = images.find((other) => other.flavour === flavour);
  if (like !== undefined && namedVersion !== null) return { kind: 'removed', like, version: namedVersion };
  const part = packages.find(({ release }) => release === kernel.runningRelease);
  if (part === undefined) return { kind: 'none', reason: 'from_outside' };
  return { kind: 'installed', image: part, confirmed: query.releaseIsBuild };
}

/** The kernel naming of a distribution; the naming of apt kernels by default. */
export function kernelNamingOf(distribution: Distribution | null): KernelNaming {
  return {
    flavourOf: (release) =>
      distribution?.kernelFlavourOf === undefined
        ? (parseKernelRelease(release)?.flavour ?? null)
        : distribution.kernelFlavourOf(release),
    releaseIsBuild: distribution?.kernelReleaseIsBuild === true,
    compareVersions: (a, b) => {
      const [one, other] = [keyOf(distribution, a), keyOf(distribution, b)];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return compareKeys(one, other);
    },
  };
}

function keyOf(distribution: Distribution | null, version: string): Uint8Array | null {
  const parsed = distribution === null ? null : versionKey(distribution.scheme, version);
  return parsed?.kind === 'key' ? parsed.key : null;
}

/** The answers of `systemd-detect-virt --container`, and the plain word. A container has no kernel of its own. */
export const containerKinds: ReadonlySet<string> = new Set([
  'container',
  'container-other',
  'docker',
  'lxc',
  'lxc-libvirt',
  'openvz',
  'podman',
  'pouch',
  'proot',
  'rkt',
  'systemd-nspawn',
  'wsl',
]);

/** Whether a host is a container, from its virtualization word; false for an unknown word. */
export function isContainer(virtualization: string): boolean {
  return containerKinds.has(virtualization.toLowerCase());
}

/** A live patch that a package contains, for one kernel. */
export interface LivePatch {
  /** The kernel's version and release, and on SUSE its flavour, with "_" as every separator. */
  readonly kernel: string;
  /** The name of its module, with "_" as every separator. */
  readonly module: string;
}

/** Name prefixes of packages with live patches. */
export const livePatchPrefixes = ['kpatch-patch-', 'kernel-livepatch-', 'kgraft-patch-'] as const;

const packageName = new RegExp(`^(?:${livePatchPrefixes.join('|')})(\\d.*)$`);
/** The dist tag differs between the names of kernels and of modules. */
const distTag = /\.(?:el\d|amzn\d).*$/;

/**
 * The live patch in a package: Red Hat's `kpatch-patch-5_14_0-503_11_1` of version `1-2.el9_5` is the module
 * `kpatch_5_14_0_503_11_1_1_2`; SUSE's are `kernel-livepatch-…-default` and `kgraft-patch-…-default`,
 * Amazon's `kernel-livepatch-5.10.102-99.473`. Null for any other package.
 */
export function livePatchOf(name: string, version: string): LivePatch | null {
  const kernel = packageName.exec(name)?.[1];
  if (kernel === undefined) return null;
  const build = version.replace(/^\d+:/, '').replace(distTag, '');
  return { kernel: plain(kernel), module: plain(`kpatch-${kernel}-${build}`) };
}

/**
 * Whether the running kernel has a live patch loaded: the patch is for that kernel, and the client lists its
 * module as enabled. `client` is the client's text, as in KernelFacts.
 */
export function isLoaded(
  { kernel, module }: LivePatch,
  { runningRelease, livepatch }: { readonly runningRelease: string; readonly livepatch: string },
): boolean {
  if (plain(runningRelease.replace(distTag, '')) !== kernel) return false;
  return livepatch.split(', ').some((entry) => {
    const [name = '', state] = entry.split(' ');
    return state === '[enabled]' && plain(name) === module;
  });
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_');
}

/** The kernel that a package version belongs to; null if it belongs to none. */
export function kernelOf(
  version: { readonly verdict: Verdict } | undefined,
): KernelImage | KernelPart | null {
  return version === undefined || version.verdict.kind === 'excluded' ? null : version.verdict.kernel;
}

/** Whether two packages belong to the same kernel; false if one belongs to none. */
export function isSameKernel(
  one: KernelImage | KernelPart | null | undefined,
  other: KernelImage | KernelPart | null | undefined,
): boolean {
  return one != null && one.release === other?.release && one.flavour === other.flavour;
}
