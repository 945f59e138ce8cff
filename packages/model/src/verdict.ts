/**
 * The three answers on one package version, as they are stored: without the sort key, plain JSON. Rows keep what older
 * versions wrote: a new field is optional.
 */
export type Verdict = ComparableVerdict | ExcludedVerdict | UnknownVerdict;

/** A package version that advisories can be compared with. */
export interface ComparableVerdict {
  readonly kind: 'comparable';
  /** What advisories are looked up by: apt the source package, rpm the binary package. */
  readonly matchName: string;
  /** The version that fixed versions are compared with. */
  readonly matchVersion: string;
  /** The module's stream it was built in, `perl:5.32`; empty: outside of modules. */
  readonly module: string;
  /** Left out: the package says itself which stream it is of. Else its host has enabled only this one. */
  readonly moduleFrom?: 'enabled_streams';
  /** The line of builds it belongs to, if its distribution has such with versions of their own (`el9_0`); else empty. */
  readonly line: string;
  /**
   * The line that the repositories of its hosts follow: one of the same kind, or `main`; left out where that is not
   * known. A build's own line tells whether it has a fix, the followed one which fix it gets.
   */
  readonly follows?: string;
  /** False: nothing says where the package came from; it is matched as the distribution's. */
  readonly originStated: boolean;
  readonly kernel: KernelImage | KernelPart | null;
}

/**
 * A package that raises no findings of its own, and is not unknown either: built from the kernel's source, but no
 * kernel that boots. A metapackage pulls in the newest kernel of its flavour. `not_a_package`: an entry of the package
 * manager's without software behind it, such as `gpg-pubkey`.
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
 * Why a package version has no verdict. `other_line`: its versions are of a line that no advisory compares with.
 * `stream_unknown`: built in a module, and the host does not say which. `unsupported_release`: no distribution here owns
 * the host's release.
 */
export const unknownReasons = [
  'not_the_distributions',
  'backport',
  'other_release',
  'other_line',
  'stream_unknown',
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

/**
 * A package that is of a kernel and runs with it, but does not boot: `kernel-modules`, and `kernel` where it only pulls in
 * `kernel-core`. It has findings while its kernel runs.
 */
export interface KernelPart {
  readonly role: 'part';
  readonly release: string;
  readonly flavour: string;
}
