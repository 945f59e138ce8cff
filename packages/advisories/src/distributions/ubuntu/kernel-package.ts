import type { KernelFacts, KernelImage } from '@plimsoll/model';
import { parseKernelRelease } from '../../kernel/kernel-release.ts';

/**
 * A source package of kernels, with its name in advisories. `image`: it builds kernels; `meta`: it pulls them in and
 * has its own versions.
 */
export interface KernelSource {
  readonly kind: 'image' | 'meta';
  readonly matchName: string;
}

/**
 * `5.15.0-69.76`, `6.8.0-1017.19~22.04.1`: version, ABI number, upload. Other `linux-…` sources have other version
 * forms.
 */
const kernelVersion = /^\d+\.\d+\.\d+-\d+\.\d/;
const metaSource = /^linux-meta(?=-|$)/;
const signedSource = /^linux-signed(?=-|$)/;

/**
 * The kernel source behind a source package: `linux-signed-hwe-6.8` is `linux-hwe-6.8`, a separate line. Null for
 * every other source, including `linux-firmware` and `linux-base`.
 */
export function kernelSourceOf(sourceName: string, sourceVersion: string): KernelSource | null {
  if (metaSource.test(sourceName))
    return { kind: 'meta', matchName: sourceName.replace(metaSource, 'linux') };
  if (signedSource.test(sourceName)) {
    return { kind: 'image', matchName: sourceName.replace(signedSource, 'linux') };
  }
  const isNamed = sourceName === 'linux' || sourceName.startsWith('linux-');
  return isNamed && kernelVersion.test(sourceVersion) ? { kind: 'image', matchName: sourceName } : null;
}

const metaVersion = /^(\d+\.\d+\.\d+)[.-](\d+)\.\d/;

/**
 * The kernel version that a metapackage's version represents. `5.15.0.101.98` would sort above `5.15.0-119.129`. It
 * contains the version and the ABI number of its kernel but no upload; the archive has one upload per ABI number, so
 * `5.15.0-101.z` sorts above that upload and below the next. Null if it contains no such numbers.
 */
export function metapackageKernelVersion(version: string): string | null {
  const [, upstream, abi] = metaVersion.exec(version) ?? [];
  return upstream === undefined || abi === undefined ? null : `${upstream}-${abi}.z`;
}

const imageForm = /^linux-image-(?:unsigned-)?(\d+\.\d+(?:\.\d+|-rc\d).*)$/;
const notBootable = /-dbg(?:sym)?$/;
/** `linux-generic` and `linux-image-generic` pull in a bootable kernel; metapackages of headers and tools do not. */
const metaForm = /^linux-(?:image-)?(.+)$/;
const otherMeta =
  /^(?:headers|tools|cloud-tools|modules|image-extra|image-unsigned|signed|source|crashdump|doc|libc-dev|buildinfo|lib-rust|firmware|base|restricted|backports)(?:-|$)/;
/** `-hwe-22.04-edge`, `-lts-20.04`, `-24.04a`, `-6.8`: the line of the flavour. */
const metaLine =
  /-(?:hwe-|lts-)?(?:\d+\.\d+[a-z]?|[a-z]+)-edge$|-(?:hwe-|lts-)?\d+\.\d+[a-z]?$|-edge$|-lts-[a-z]+$/;

/** The kernel that a binary package with this name boots; null for companions, metapackages and all others. */
export function kernelImageOf(packageName: string): KernelImage | null {
  const release = imageForm.exec(packageName)?.[1];
  if (release === undefined || notBootable.test(release)) return null;
  return { role: 'image', release, flavour: parseKernelRelease(release)?.flavour ?? '' };
}

/** The flavour of the kernels that a metapackage pulls in, as in `uname -r`; null if it pulls in none. */
export function metapackageFlavourOf(packageName: string): string | null {
  const rest = metaForm.exec(packageName)?.[1];
  if (rest === undefined || /^\d/.test(rest) || otherMeta.test(packageName.slice('linux-'.length)))
    return null;
  const flavour = rest.replace(metaLine, '');
  // Virtual machines boot the generic kernel with fewer modules.
  return flavour === 'virtual' ? 'generic' : flavour;
}

const uploadInUname = /^#(\d[\w.+~]{0,60})-Ubuntu(?:\s|$)/;
const abiInUname = /^\d+\.\d+\.\d+-\d+(?=-|$)/;

/**
 * The package version of the running kernel: `uname -r` has version and ABI number, `uname -v` the upload.
 * `#119~20.04.1-Ubuntu` of `5.15.0-109-generic` is `5.15.0-109.119~20.04.1`. Null if either is not Ubuntu's.
 */
export function runningVersionOf({ runningRelease, runningVersion }: KernelFacts): string | null {
  const abi = abiInUname.exec(runningRelease)?.[0];
  const upload = uploadInUname.exec(runningVersion)?.[1];
  return abi === undefined || upload === undefined ? null : `${abi}.${upload}`;
}

/** Test builds of the mainline kernel: `6.9.1-060901.202405171739`. */
const mainlineVersion = /^\d+\.\d+\.\d+-0\d{5}(?:rc\d+)?\./;

/** Whether a version is a mainline build, which belongs to no release and gets no updates. */
export function isMainlineBuild(version: string): boolean {
  return mainlineVersion.test(version);
}

const series = /^\d+\.\d+/;
const numberedLine = /-\d+\.\d+$/;

/**
 * The source of a removed kernel, derived from an installed kernel of one of its flavours: the same source if both
 * have the same series and both or neither come from a newer release (`~22.04.1`); the same line with the other number
 * if both do, as `linux-hwe-6.5` before `linux-hwe-6.8`. Null if neither applies.
 */
export function removedKernelSource(
  like: { readonly source: string; readonly version: string },
  removed: KernelImage | null,
  version: string,
): string | null {
  const isBrought = version.includes('~');
  if (like.version.includes('~') !== isBrought) {
    return isBrought ? null : sourceOfUnstated(removed?.flavour ?? null, version);
  }
  const number = series.exec(version)?.[0];
  if (number === undefined) return null;
  if (number === series.exec(like.version)?.[0]) return like.source;
  return isBrought && numberedLine.test(like.source) ? like.source.replace(numberedLine, `-${number}`) : null;
}

/**
 * The source of a generic kernel or its metapackage without a stated source: `linux`, unless it comes from a newer
 * release. Null for every other flavour.
 */
export function sourceOfUnstated(flavour: string | null, version: string): string | null {
  return flavour === 'generic' && !version.includes('~') ? 'linux' : null;
}
