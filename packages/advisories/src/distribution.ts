import type {
  ComparableVerdict,
  KernelFacts,
  KernelImage,
  KernelPart,
  Lifecycle,
  PackageVersionIdentity,
  Platform,
  Release,
  Repository,
  Subscription,
  UnknownReason,
  Upgrade,
  Verdict,
} from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';

/** Null: the host has no client of a subscription. `unknown`: it could not read its state. */
export type HostSubscription = Subscription | 'unknown' | null;

/** Whether a subscription lists a service as enabled. */
export function listsService(subscription: HostSubscription, service: string): 'yes' | 'no' | 'unknown' {
  if (subscription === 'unknown') return 'unknown';
  return subscription?.services.includes(service) === true ? 'yes' : 'no';
}

/**
 * A family of releases: how to recognise its packages and what to compare them by. A distribution is a folder in
 * `distributions/` and a line in `registry.ts`.
 */
export interface Distribution {
  readonly id: string;
  /** The release a host runs, if it is one of this distribution. A derivative is a different
   * distribution; registry.ts asks again for the one whose packages it shares. */
  releaseOf(platform: Platform): ReleaseVerdict;
  /** Whether a release belongs to this distribution. */
  owns(release: Release): boolean;
  readonly scheme: VersionScheme;
  /** What advisories of `release` are compared with for one distinct package version, on any host. */
  classify(subject: PackageSubject, release: Release): Classification;
  /**
   * As classify, for a package version that classify excludes as a kernel companion: what advisories of
   * `release` are compared with when it is listed beside the kernel.
   */
  classifyCompanion(subject: PackageSubject, release: Release): Classification;
  /** What an offered update is compared by. */
  classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource;
  /** The package version that a host's kernel facts name as running; null if they name none. */
  runningKernelVersion(kernel: KernelFacts): string | null;
  /**
   * The kernel that a binary package boots or is a part of; null for every other package. apt needs only the name, rpm
   * also the build.
   */
  kernelOf(packageName: string, build: KernelBuildFacts): KernelImage | KernelPart | null;
  /** The flavour in a `uname -r`; null if it has none. Absent: the naming of apt kernels applies. */
  kernelFlavourOf?(kernelRelease: string): string | null;
  /** Whether a `uname -r` identifies one build of a kernel, as on rpm; on apt several builds can share one. */
  readonly kernelReleaseIsBuild?: boolean;
  /**
   * The package version of a running kernel that is not installed: `version` of the release `kernelRelease`. `like` is
   * the installed image of that release, or else one of the same flavour.
   */
  runningKernelSubject(like: PackageSubject, kernelRelease: string, version: string): PackageSubject;
  /**
   * The build line that a host's enabled repositories follow, stored as `suite` of its package versions; empty if they
   * do not show it. `productsOf` takes a repository id. Absent: its releases have no such lines.
   */
  followedReleaseLine?(host: HostRepositories, productsOf: ProductsOf): string;
  /** The services of extended support that a host's repositories show. Absent: its releases have none. */
  servicesIn?(repositories: readonly Repository[]): readonly string[];
  /** Whether a host with this subscription receives what a service ships. */
  hasService(subscription: HostSubscription, service: string): 'yes' | 'no' | 'unknown';
  /**
   * Present: one erratum names several source packages with the CVEs of all of them, so a CVE without a
   * record may be about another package. Absent: each CVE of an erratum is about each package that it names.
   */
  readonly noticesNamePackages?: 'several';
  /** When support of the edition that a platform names ends; null if with its release. Absent: there are no editions. */
  editionEndOf?(platform: Platform): Date | null;
  /** When support of a release ends; null if unknown. */
  lifecycleOf(release: Release): Lifecycle | null;
}

/** The facts that show which build line a host follows. */
export interface HostRepositories {
  readonly platform: Platform;
  readonly repositories: readonly Repository[];
}

/** The products that a repository ships, according to its publisher; empty if unknown. */
export type ProductsOf = (repositoryId: string) => readonly string[];

/** The result of identifying a platform's release. */
export type ReleaseVerdict =
  | { readonly kind: 'release'; readonly release: Release; readonly scheme: VersionScheme }
  | { readonly kind: 'unsupported'; readonly reason: UnsupportedReason };

/** `other_distribution`: not supported here. `no_release_number`: supported, but rolling or testing. */
export type UnsupportedReason = 'other_distribution' | 'no_release_number';

/** The fields of a distinct package version that classification reads; every InstalledPackage has them. */
export interface PackageSubject extends PackageVersionIdentity {
  readonly signingKey: string;
}

/** The fields of a package build that determine a kernel's release. */
export interface KernelBuildFacts {
  readonly version: string;
  readonly architecture: string;
}

/** A verdict with the sort key of `matchVersion`. */
export type Classification =
  | (ComparableVerdict & { readonly key: Uint8Array })
  | Exclude<Verdict, { kind: 'comparable' }>;

/** What an offered update is compared by. `kernelFlavour`: it is, or pulls in, a kernel of that flavour. */
export type CandidateSource =
  | {
      readonly kind: 'comparable';
      readonly matchName: string;
      readonly matchVersion: string;
      readonly key: Uint8Array;
      /** Its build line, if versions of that line compare only within the line; absent otherwise. */
      readonly line?: string;
      /** False: the host omitted the candidate's source; the binary package's name and version replace it. */
      readonly stated: boolean;
      readonly kernelFlavour: string | null;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly kernelFlavour: string | null;
    };
