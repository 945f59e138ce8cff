import type { KernelFacts, KernelImage } from '@plimsoll/model';
import { parseKernelRelease } from '../../kernel/kernel-release.ts';

/**
 * A source package that kernels come from, under the name that advisories use. `image`: it builds them; `meta`: it pulls
 * them in, under versions of its own.
 */
export interface KernelSource {
  readonly kind: 'image' | 'meta';
  readonly matchName: string;
}

/** `5.15.0-69.76`, `6.8.0-1017.19~22.04.1`: version, ABI number, upload. No other source called `linux-…` counts so. */
const kernelVersion = /^\d+\.\d+\.\d+-\d+\.\d/;
const metaSource = /^linux-meta(?=-|$)/;
const signedSource = /^linux-signed(?=-|$)/;

/**
 * The kernel's source behind a source package: `linux-signed-hwe-6.8` is `linux-hwe-6.8`, a line of its own. Null for
 * every other source, `linux-firmware` and `linux-base` included.
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
 * The kernel version that a metapackage's version stands for. `5.15.0.101.98` would sort above `5.15.0-119.129`; it names
 * the version and the ABI number of the kernel it pulls in and no upload, of which an ABI number has one in the archive:
 * `5.15.0-101.z` is above it and below the next. Null where it names none.
 */
export function metapackageKernelVersion(version: string): string | null {
  const [, upstream, abi] = metaVersion.exec(version) ?? [];
  return upstream === undefined || abi === undefined ? null : `${upstream}-${abi}.z`;
}

const imageForm = /^linux-image-(?:unsigned-)?(\d+\.\d+(?:\.\d+|-rc\d).*)$/;
const notBootable = /-dbg(?:sym)?$/;
/** `linux-generic` and `linux-image-generic` pull in a kernel that boots; the metapackages of headers and tools none. */
const metaForm = /^linux-(?:image-)?(.+)$/;
const otherMeta =
  /^(?:headers|tools|cloud-tools|modules|image-extra|image-unsigned|signed|source|crashdump|doc|libc-dev|buildinfo|lib-rust|firmware|base|restricted|backports)(?:-|$)/;
/** `-hwe-22.04-edge`, `-lts-20.04`, `-24.04a`, `-6.8`: which line of the flavour it follows. */
const metaLine =
  /-(?:hwe-|lts-)?(?:\d+\.\d+[a-z]?|[a-z]+)-edge$|-(?:hwe-|lts-)?\d+\.\d+[a-z]?$|-edge$|-lts-[a-z]+$/;

/** The kernel that a binary package of this name boots; null for companions, metapackages and everything else. */
export function kernelImageOf(packageName: string): KernelImage | null {
  const release = imageForm.exec(packageName)?.[1];
  if (release === undefined || notBootable.test(release)) return null;
  return { role: 'image', release, flavour: parseKernelRelease(release)?.flavour ?? '' };
}

/** The flavour of the kernels that a metapackage pulls in, as `uname -r` names it; null for what pulls in none. */
export function metapackageFlavourOf(packageName: string): string | null {
  const rest = metaForm.exec(packageName)?.[1];
  if (rest === undefined || /^\d/.test(rest) || otherMeta.test(packageName.slice('linux-'.length)))
    return null;
  const flavour = rest.replace(metaLine, '');
  // Virtual machines boot the generic kernel, with fewer modules.
  return flavour === 'virtual' ? 'generic' : flavour;
}

const uploadInUname = /^#(\d[\w.+~]{0,60})-Ubuntu(?:\s|$)/;
const abiInUname = /^\d+\.\d+\.\d+-\d+(?=-|$)/;

/**
 * The package version of the running kernel: `uname -r` has version and ABI number, `uname -v` the upload. `#119~20.04.1-Ubuntu`
 * of `5.15.0-109-generic` is `5.15.0-109.119~20.04.1`. Null where either is not Ubuntu's.
 */
export function runningVersionOf({ runningRelease, runningVersion }: KernelFacts): string | null {
  const abi = abiInUname.exec(runningRelease)?.[0];
  const upload = uploadInUname.exec(runningVersion)?.[1];
  return abi === undefined || upload === undefined ? null : `${abi}.${upload}`;
}

/** Builds of the mainline kernel for tests: `6.9.1-060901.202405171739`. */
const mainlineVersion = /^\d+\.\d+\.\d+-0\d{5}(?:rc\d+)?\./;

/** Whether a version is of a mainline build, which is nobody's release and gets no updates. */
export function isMainlineBuild(version: string): boolean {
  return mainlineVersion.test(version);
}

const series = /^\d+\.\d+/;
const numberedLine = /-\d+\.\d+$/;

/**
 * The source of a kernel that is installed no more, seen from one of its flavour that is: the same where both are of one
 * series and both or neither were brought from a newer release (`~22.04.1`); the same line under its other number where
 * both were, as `linux-hwe-6.5` before `linux-hwe-6.8`. Null where that does not say.
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
 * The source of a generic kernel, or of its metapackage, where none is stated: `linux`, unless it was brought from a newer
 * release. Null for every other flavour.
 */
export function sourceOfUnstated(flavour: string | null, version: string): string | null {
  return flavour === 'generic' && !version.includes('~') ? 'linux' : null;
}
