import type { KernelFacts, Platform, Release, Repository, Subscription, Upgrade } from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';

/**
 * One family of releases: how its packages are told from others and what they are compared by. A distribution is a
 * folder in `distributions/` and a line in `registry.ts`.
 */
export interface Distribution {
  readonly id: string;
  /** Whether a host runs a release of this distribution. A derivative is another distribution. */
  releaseOf(platform: Platform): ReleaseVerdict;
  /** Whether a release is one of this distribution. */
  owns(release: Release): boolean;
  readonly scheme: VersionScheme;
  /** What advisories of `release` can say of one distinct package version, on whatever host it is. */
  classify(subject: PackageSubject, release: Release): Classification;
  /** What an offered update would be compared by. */
  classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource;
  /** The package version that a host's kernel facts name as running; null where they name none. */
  runningKernelVersion(kernel: KernelFacts): string | null;
  /** The kernel that a binary package boots; null for every other package. On apt its name says all, on rpm the build. */
  kernelImageOf(packageName: string, build: KernelBuildFacts): KernelImage | null;
  /** The flavour in a `uname -r`; null where it has none. Left out: as kernels for apt name themselves. */
  kernelFlavourOf?(kernelRelease: string): string | null;
  /** Whether one `uname -r` is one build of a kernel, as on rpm; on apt several have shared one. */
  readonly kernelReleaseIsBuild?: boolean;
  /**
   * The package version of a kernel that runs but is not what is installed: `version` of the release `kernelRelease`,
   * where `like` is the image installed for that release, or failing that one of the same flavour.
   */
  runningKernelSubject(like: PackageSubject, kernelRelease: string, version: string): PackageSubject;
  /**
   * The line of builds that a host's enabled repositories follow, as `suite` of its package versions; empty where they do
   * not say it. `productsOf` answers for the id of a repository. Left out: its releases have no such lines.
   */
  followedLine?(host: HostRepositories, productsOf: ProductsOf): string;
  /** Whether a host with this subscription gets what a service ships. Null: the host says nothing of a subscription. */
  hasService(subscription: Subscription | null, service: string): boolean;
  /** When support of a release ends; null where that is not known. */
  lifecycleOf(release: Release): Lifecycle | null;
}

/** What it takes to tell which line of builds a host follows. */
export interface HostRepositories {
  readonly platform: Platform;
  readonly repositories: readonly Repository[];
}

/** The products that a repository ships, as its publisher says; none where nothing is known of it. */
export type ProductsOf = (repositoryId: string) => readonly string[];

/** What a platform turned out to be. */
export type ReleaseVerdict =
  | { readonly kind: 'release'; readonly release: Release; readonly scheme: VersionScheme }
  | { readonly kind: 'unsupported'; readonly reason: UnsupportedReason };

/** `other_distribution`: none of ours. `no_release_number`: ours, but rolling or testing. */
export type UnsupportedReason = 'other_distribution' | 'no_release_number';

/**
 * `endsAt` is the first moment out of support, long-term support included where everybody can have it. `extended` is what
 * a subscription adds to it, the shortest first; left out where it adds nothing.
 */
export interface Lifecycle {
  readonly endsAt: Date;
  readonly extended?: readonly ExtendedSupport[];
}

/** Support that takes a service of a subscription, until `endsAt`. */
export interface ExtendedSupport {
  readonly service: string;
  readonly endsAt: Date;
}

/** What identifies one distinct package version; every InstalledPackage is one. */
export interface PackageSubject {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  /** apt origin or rpm vendor; empty if unknown. */
  readonly vendor: string;
  /** apt suite or archive, on rpm the line that its host's repositories follow; empty if unknown. */
  readonly suite: string;
  readonly module: string;
  readonly signingKey: string;
}

/** A bootable kernel: the `uname -r` it boots as, and its flavour (`amd64`, `cloud-amd64`, `rpi-v8`). */
export interface KernelImage {
  readonly role: 'image';
  readonly release: string;
  readonly flavour: string;
}

/** The build of a package, as far as a kernel's release follows from it. */
export interface KernelBuildFacts {
  readonly version: string;
  readonly architecture: string;
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

/** The three answers on one package version, as they are stored: without the sort key, plain JSON. */
export type Verdict =
  | {
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
  | ExcludedVerdict
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly kernel: KernelImage | KernelPart | null;
    };

/**
 * A package that raises no findings of its own, and is not unknown either: built from the kernel's source, but no
 * kernel that boots. A metapackage pulls in the newest kernel of its flavour. `not_a_package`: an entry of the package
 * manager's that no software stands behind, such as `gpg-pubkey`.
 */
export type ExcludedVerdict =
  | { readonly kind: 'excluded'; readonly reason: 'not_a_package' }
  | { readonly kind: 'excluded'; readonly reason: 'kernel_companion' }
  | { readonly kind: 'excluded'; readonly reason: 'kernel_metapackage'; readonly flavour: string };

/**
 * Why a package version has no verdict. `other_line`: its versions are of a line that no advisory compares with.
 * `stream_unknown`: built in a module, nothing says which. `unsupported_release`: the host runs none that we know.
 */
export type UnknownReason =
  | 'not_the_distributions'
  | 'backport'
  | 'other_release'
  | 'other_line'
  | 'stream_unknown'
  | 'unparseable_version'
  | 'unsupported_release';

/** A verdict with the sort key of `matchVersion`. */
export type Classification =
  | (Extract<Verdict, { kind: 'comparable' }> & { readonly key: Uint8Array })
  | Exclude<Verdict, { kind: 'comparable' }>;

/** The part of a classification that is stored as JSON; the key is stored beside it. */
export function verdictOf(classification: Classification): Verdict {
  if (classification.kind !== 'comparable') return classification;
  const { key: _stored, ...verdict } = classification;
  return verdict;
}

/** What an offered update is compared by. `kernelFlavour`: it is, or pulls in, a kernel of that flavour. */
export type CandidateSource =
  | {
      readonly kind: 'comparable';
      readonly matchName: string;
      readonly matchVersion: string;
      readonly key: Uint8Array;
      /** Its line of builds, where that is one whose versions compare with no other's; left out elsewhere. */
      readonly line?: string;
      /** False: the host left out the candidate's source, and the binary package's name and version stand here. */
      readonly stated: boolean;
      readonly kernelFlavour: string | null;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly kernelFlavour: string | null;
    };
