/**
 * The verdict on one package version, as stored: plain JSON without the sort key. Rows written by older versions stay:
 * a new field is optional.
 */
export type Verdict = ComparableVerdict | ExcludedVerdict | UnknownVerdict;

/** A package version that advisories can be compared with. */
export interface ComparableVerdict {
  readonly kind: 'comparable';
  /** The name to look up advisories by: apt the source package, rpm the binary package. */
  readonly matchName: string;
  /** The version that fixed versions are compared with. */
  readonly matchVersion: string;
  /** The module stream it was built in, `perl:5.32`; empty: outside modules. */
  readonly module: string;
  /** Absent: the package states its stream. Else the stream is the only one its host has enabled. */
  readonly moduleFrom?: 'enabled_streams';
  /** Its build line, if its distribution has lines with their own versions (`el9_0`); else empty. */
  readonly line: string;
  /**
   * The line that the host's repositories follow: a line of the same kind, or `main`; absent if unknown. The build's
   * own line decides whether it has a fix, the followed line which fix it gets.
   */
  readonly follows?: string;
  /** False: the origin of the package is unknown; it is matched as the distribution's. */
  readonly originStated: boolean;
  /** The version that will be there once an installation that did not end is finished. Absent: it ended. */
  readonly reached?: string;
  readonly kernel: KernelImage | KernelPart | null;
}

/**
 * A package that raises no findings of its own and is not unknown: built from the kernel source, but not a bootable
 * kernel. A metapackage pulls in the newest kernel of its flavour. `not_a_package`: a package manager entry without
 * software, such as `gpg-pubkey`.
 */
export type ExcludedVerdict =
  | { readonly kind: 'excluded'; readonly reason: 'not_a_package' }
  | { readonly kind: 'excluded'; readonly reason: 'kernel_companion' }
  | { readonly kind: 'excluded'; readonly reason: 'kernel_metapackage'; readonly flavour: string };

/** A package version that no advisory can be compared with. */
export interface UnknownVerdict {
  readonly kind: 'unknown';
  readonly reason: UnknownReason;
  readonly detail: string;
  readonly kernel: KernelImage | KernelPart | null;
}

/**
 * Why a package version has no verdict. `no_repository`: the host read all its package lists, and none has it.
 * `unfinished`: its installation did not end, and the version before it is not known. `other_line`: its versions belong to a line that no advisory compares with.
 * `stream_unknown`: built in a module, but the host does not report its stream. `unsupported_release`: no supported
 * distribution has the host's release.
 */
export const unknownReasons = [
  'not_the_distributions',
  'no_repository',
  'backport',
  'other_release',
  'other_line',
  'stream_unknown',
  'unfinished',
  'unparseable_version',
  'unsupported_release',
] as const;
export type UnknownReason = (typeof unknownReasons)[number];

/** A bootable kernel: the `uname -r` it boots as, and its flavour (`amd64`, `cloud-amd64`, `rpi-v8`). */
export interface KernelImage {
  readonly role: 'image';
  readonly release: string;
  readonly flavour: string;
}

const buildNumber = /(?<![a-z0-9_])([a-z]{2,32})?\d{1,9}(?![a-z0-9_])/gi;

/**
 * A flavour without the numbers of builds that publishers put there: `x64v3-xanmod` of `x64v3-xanmod2`, `rt` of `rt101`,
 * `desktop-.mga` of `desktop-5.mga9`. Those of boards and processors stay: `rpi-v8`, `x64v3`.
 */
export function kernelLine(flavour: string): string {
  return flavour.replace(buildNumber, '$1');
}

/**
 * A package that belongs to a kernel and runs with it, but does not boot: `kernel-modules`, or `kernel` if it only
 * pulls in `kernel-core`. It has findings while its kernel runs.
 */
export interface KernelPart {
  readonly role: 'part';
  readonly release: string;
  readonly flavour: string;
}
