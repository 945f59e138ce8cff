import type {
  ComparableVerdict,
  KernelFacts,
  KernelImage,
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

/** What classifying looks at of one distinct package version; every InstalledPackage is one. */
export interface PackageSubject extends PackageVersionIdentity {
  readonly signingKey: string;
}

/** The build of a package, as far as a kernel's release follows from it. */
export interface KernelBuildFacts {
  readonly version: string;
  readonly architecture: string;
}

/** A verdict with the sort key of `matchVersion`. */
export type Classification =
  | (ComparableVerdict & { readonly key: Uint8Array })
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
