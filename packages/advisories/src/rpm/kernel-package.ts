import type { KernelImage, KernelPart } from '@plimsoll/model';
import { splitEvr, withoutEpoch } from './evr.ts';
import { suseKernelRole } from './suse-kernel.ts';

/** A distribution's naming of kernels. */
export interface KernelStyle {
  readonly style: 'red_hat' | 'suse';
  /** Whether `kernel` only pulls in `kernel-core`, which boots; in older releases `kernel` itself boots. */
  readonly hasCore: boolean;
}

/** The fields of a package build that identify a kernel. */
export interface KernelBuild {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly sourceName: string;
}

/**
 * A package's role for a kernel. A companion is built from the kernel source but neither boots nor runs with the
 * kernel.
 */
export type KernelRole = KernelImage | KernelPart | { readonly role: 'companion' };

const variants = '64k|16k|rt|debug|uek|uek64k|lt|ml|zfcpdump|automotive|longterm';
const kernelName = new RegExp(
  `^(kernel(?:\\d+\\.\\d+)?((?:-(?:${variants}))*))(-core|-modules(?:-[a-z-]+)?|-uki-virt)?$`,
);
const companionName = new RegExp(
  `^(?:kernel(?:\\d+\\.\\d+)?(?:-(?:${variants}))*-(?:tools|headers|devel|doc|docs|abi|cross-headers|selftests|` +
    'libbpf|ipaclones|debuginfo|debugsource|source|syms|macros|obs-build|container|firmware-uek|uki-virt-addons|kvm)(?:-.*)?' +
    '|perf\\d*(?:\\.\\d+)?(?:-.*)?|python[0-9.]*-perf.*|bpftool(?:\\d.*)?|libperf(?:-.*)?|rtla|rv)$',
);
/** Kernel sources; `kernel-firmware` and similar are separate sources. */
const kernelSource = new RegExp(
  `^kernel(?:\\d+\\.\\d+)?(?:-(?:${variants}|alt|aarch64|default|azure|preempt|64kb|vanilla|kvmsmall|source|source-azure|source-rt|syms))*$`,
);
/** Sources with packages of the kernel's tree that are released with each kernel: Fedora's `kernel-tools` builds perf. */
const companionSource = /^kernel-(?:headers|tools|cross-headers)$/;
/**
 * Packages that some releases build from the kernel's source, and others from a source with the package's own
 * name.
 */
const sometimesSeparate = /^(?:bpftool|rtla|rv)$/;
const separateOnSuse = /^(?:bpftool|rtla|rv|perf|python[0-9.]*-perf)$/;
/**
 * Builds of the kernel's source have three or more digits here (`7.3.0-427.el9`), other sources one or two.
 */
const kernelBuildNumber = /^\d{3,}(?:\.|$)/;
/** Kernel lines that are named in the version or package name, not after the architecture. */
const namedElsewhere: ReadonlySet<string> = new Set(['uek', 'lt', 'ml', 'longterm']);
/** UEK release 7 and later come as `kernel-uek-core`. */
const uekWithCore = 515;
const realTime = /\.rt\d/;

/** A build's role for a kernel; null for all others, including `kernel-srpm-macros`. */
export function kernelRoleOf(build: KernelBuild, naming: KernelStyle): KernelRole | null {
  if (naming.style === 'suse') {
    const role = suseKernelRole(build);
    if (role !== null) return role;
  } else {
    const [, base, words = '', end = ''] = kernelName.exec(build.name) ?? [];
    if (base !== undefined) {
      const bootsItself = end === '-core' || (end === '' && !isSplit(build, words, naming));
      return { role: bootsItself ? 'image' : 'part', release: bootRelease(build, words), flavour: base };
    }
  }
  return isCompanion(build, naming) ? { role: 'companion' } : null;
}

/** Decides by the source; by the name only if the source has the same name or is not reported. */
function isCompanion({ name, version, sourceName }: KernelBuild, { style }: KernelStyle): boolean {
  if (sourceName !== name) return kernelSource.test(sourceName) || companionSource.test(sourceName);
  if (style === 'suse' && separateOnSuse.test(name)) return false;
  if (sometimesSeparate.test(name)) return kernelBuildNumber.test(splitEvr(version).release);
  return companionName.test(name);
}

/** Whether a kernel package without a suffix only pulls in its `-core`. */
function isSplit({ version }: KernelBuild, words: string, { hasCore }: KernelStyle): boolean {
  if (!words.includes('-uek')) return hasCore;
  const [major = '0', minor = '0'] = splitEvr(version).version.split('.');
  return Number(major) * 100 + Number(minor) >= uekWithCore;
}

/** The `uname -r` of a build: `5.14.0-503.el9.x86_64`, `….x86_64+64k`, and on releases before 8 `….x86_64.debug`. */
function bootRelease({ version, architecture }: KernelBuild, words: string): string {
  const evr = withoutEpoch(version);
  const full = architecture === '' ? evr : `${evr}.${architecture}`;
  const variant = words
    .split('-')
    .filter((word) => word !== '' && !namedElsewhere.has(word) && !(word === 'rt' && realTime.test(evr)))
    .join('-');
  if (variant === '') return full;
  return `${full}${/\.el[67](?:\D|$)/.test(evr) ? '.' : '+'}${variant}`;
}

/** The parts of a Red Hat style `uname -r`. */
export interface RunningRelease {
  readonly version: string;
  readonly flavour: string;
}

const unameForm =
  /^([^-\s]+-[^+\s]+?)\.(?:x86_64|aarch64|ppc64le|ppc64|s390x|i[36]86|armv7hl|riscv64)(?:[.+]([a-z0-9-]+))?$/;

/**
 * Splits `5.14.0-503.el9.x86_64+rt-debug` into the package version and the flavour `kernel-rt-debug`; null for other
 * forms.
 */
export function parseRunningRelease(release: string): RunningRelease | null {
  const [, version, suffix = ''] = unameForm.exec(release) ?? [];
  if (version === undefined) return null;
  const line = numberedLine(version);
  const words = [
    ...(/uek(?:\.|$)/.test(version) ? ['uek'] : []),
    ...(realTime.test(version) ? ['rt'] : []),
    ...(suffix === '' ? [] : [suffix]),
  ];
  return { version, flavour: [`kernel${line}`, ...words].join('-') };
}

/** Amazon Linux 2023 names kernels after 6.1 by their line: `kernel6.12`. */
function numberedLine(version: string): string {
  const number = /^(\d+\.\d+)\..*\.amzn2023/.exec(version)?.[1];
  return number === undefined || number === '6.1' ? '' : number;
}
