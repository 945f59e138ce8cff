import type { KernelImage, Release, UnknownReason, Upgrade } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { isInNoRepository, subscriptionLine } from '../../builds.ts';
import type {
  CandidateSource,
  Classification,
  Distribution,
  HostSubscription,
  PackageSubject,
} from '../../distribution.ts';
import { statedMirror } from '../../origin-policy.ts';
import { isEsmBuild } from './esm-builds.ts';
import { fipsLine, isFipsBuild } from './fips.ts';
import {
  isMainlineBuild,
  type KernelSource,
  kernelImageOf,
  kernelSourceOf,
  metapackageFlavourOf,
  metapackageKernelVersion,
  removedKernelSource,
  runningVersionOf,
  sourceOfUnstated,
} from './kernel-package.ts';
import { isOtherReleasesSuite, isUbuntuRelease, lifecycleOf, releaseOfPlatform } from './releases.ts';

/** Ubuntu, with Ubuntu Pro. Hosts of derivatives such as Linux Mint share its packages, see baseOf. */
export const ubuntu: Distribution = {
  id: 'ubuntu',
  scheme: 'dpkg',
  releaseOf: releaseOfPlatform,
  owns: isUbuntuRelease,
  classify,
  classifyCompanion,
  classifyUpgrade,
  runningKernelVersion: runningVersionOf,
  kernelOf: kernelImageOf,
  runningKernelSubject,
  hasService,
  noticesNamePackages: 'several',
  lifecycleOf,
};

/** Services that deliver a service's fixes. `esm`: the advisory does not say which of the two. */
const alternatives: ReadonlyMap<string, readonly string[]> = new Map([
  ['esm', ['esm-infra', 'esm-apps']],
  ['fips', ['fips', 'fips-updates']],
]);

/** Whether a host is attached to Ubuntu Pro with a service enabled; see Distribution.hasService. */
function hasService(subscription: HostSubscription, service: string): 'yes' | 'no' | 'unknown' {
  if (subscription === 'unknown') return 'unknown';
  if (subscription?.attached !== true) return 'no';
  const names = alternatives.get(service) ?? [service];
  return names.some((name) => subscription.services.includes(name)) ? 'yes' : 'no';
}

/** Classifies a package version for Ubuntu's advisories of `release`; see Distribution.classify. */
function classify(subject: PackageSubject, release: Release): Classification {
  const { name } = subject;
  const kernel = kernelImageOf(name);
  const source = sourceOf(subject, kernel);
  if (kernel === null && source !== null) {
    const flavour = source.kind === 'meta' ? metapackageFlavourOf(name) : null;
    if (flavour === null) return { kind: 'excluded', reason: 'kernel_companion' };
    return { kind: 'excluded', reason: 'kernel_metapackage', flavour };
  }
  return compare(subject, release, { source, kernel });
}

/** What a kernel companion is compared with for display; see Distribution.classifyCompanion. */
function classifyCompanion(subject: PackageSubject, release: Release): Classification {
  return compare(subject, release, { source: sourceOf(subject, null), kernel: null });
}

function compare(
  subject: PackageSubject,
  release: Release,
  { source, kernel }: { readonly source: KernelSource | null; readonly kernel: KernelImage | null },
): Classification {
  const { version, sourceVersion } = subject;
  // Builds of Ubuntu Pro stay when its repositories are gone.
  const isOwn = isEsmBuild(sourceVersion) || isFipsBuild(subject.sourceName, sourceVersion);
  const origin = originOf(isOwn && isInNoRepository(subject) ? { ...subject, suite: '' } : subject, release);
  if (origin.kind === 'foreign')
    return { kind: 'unknown', reason: origin.reason, detail: origin.detail, kernel };
  if (kernel !== null && isForeignKernel(source, version)) {
    const detail = `a kernel built from ${subject.sourceName} ${sourceVersion}`;
    return { kind: 'unknown', reason: 'not_the_distributions', detail, kernel };
  }
  const matchName = source?.matchName ?? subject.sourceName;
  const parsed = versionKey('dpkg', sourceVersion);
  if (parsed.kind !== 'key')
    return { kind: 'unknown', reason: 'unparseable_version', detail: sourceVersion, kernel };
  return {
    kind: 'comparable',
    matchName,
    matchVersion: sourceVersion,
    key: parsed.key,
    module: '',
    line: lineOf(origin, matchName, sourceVersion) || esmLineOf(origin, sourceVersion),
    originStated: origin.stated,
    kernel,
  };
}

/** Returns what an offered update is compared by; see Distribution.classifyUpgrade. */
function classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource {
  const { name, candidateVersion: version, sourceName, sourceVersion, origin: vendor, suite } = upgrade;
  const kernel = kernelImageOf(name);
  const source = sourceOf({ name, version, sourceName, sourceVersion }, kernel);
  const metapackageFlavour = source?.kind === 'meta' ? metapackageFlavourOf(name) : null;
  const isOthers = kernel !== null && source === null && sourceName !== name;
  const kernelFlavour = isOthers ? null : (kernel?.flavour ?? metapackageFlavour);
  const unknown = (reason: UnknownReason, detail: string): CandidateSource => ({
    kind: 'unknown',
    reason,
    detail,
    kernelFlavour,
  });
  const origin = originOf({ vendor, suite, version, sourceVersion }, release);
  if (origin.kind === 'foreign') return unknown(origin.reason, origin.detail);
  if (kernel !== null && isForeignKernel(source, version))
    return unknown('not_the_distributions', sourceName);
  const matchVersion = metapackageFlavour === null ? sourceVersion : metapackageKernelVersion(version);
  const parsed = versionKey('dpkg', matchVersion ?? '');
  if (matchVersion === null || parsed.kind !== 'key') return unknown('unparseable_version', sourceVersion);
  const matchName = kernelFlavour === null ? sourceName : (source?.matchName ?? sourceName);
  return {
    kind: 'comparable',
    matchName,
    matchVersion,
    key: parsed.key,
    line: lineOf(origin, matchName, sourceVersion),
    // The model substitutes name and version if the collector omitted the source.
    stated: sourceName !== name || sourceVersion !== version,
    kernelFlavour,
  };
}

/**
 * The subject of a running kernel that is not installed. If the source of a removed kernel is unknown, its release is
 * used instead, which is not a kernel source.
 */
function runningKernelSubject(like: PackageSubject, kernelRelease: string, version: string): PackageSubject {
  const image = kernelImageOf(like.name);
  const source = sourceOf(like, image);
  const likeSource = source?.matchName ?? like.sourceName;
  if (image?.release === kernelRelease) {
    return { ...like, version, sourceName: likeSource, sourceVersion: version };
  }
  const name = `linux-image-${kernelRelease}`;
  const seenFrom = { source: likeSource, version: like.version };
  const sourceName = removedKernelSource(seenFrom, kernelImageOf(name), version) ?? kernelRelease;
  return { ...like, name, version, sourceName, sourceVersion: version };
}

function lineOf({ fips }: { fips: boolean }, matchName: string, sourceVersion: string): string {
  return fips || isFipsBuild(matchName, sourceVersion) ? fipsLine : '';
}

/** Not part of an offered update: its version compares with every other one of the main line. */
function esmLineOf({ esm }: { esm: boolean }, sourceVersion: string): string {
  return esm || isEsmBuild(sourceVersion) ? subscriptionLine : '';
}

function isForeignKernel(source: KernelSource | null, version: string): boolean {
  return source?.kind !== 'image' || isMainlineBuild(version);
}

/** Undoes the model's substitute for an omitted source, the package's own name. */
function sourceOf(
  {
    name,
    version,
    sourceName,
    sourceVersion,
  }: Pick<PackageSubject, 'name' | 'version' | 'sourceName' | 'sourceVersion'>,
  kernel: KernelImage | null,
): KernelSource | null {
  if (sourceName !== name) return kernelSourceOf(sourceName, sourceVersion);
  const flavour = kernel?.flavour ?? metapackageFlavourOf(name);
  if (flavour === null || metapackageKernelVersion(version) === null) {
    return kernelSourceOf(sourceName, sourceVersion);
  }
  const matchName = sourceOfUnstated(flavour, version);
  return matchName === null ? null : { kind: kernel === null ? 'meta' : 'image', matchName };
}

/**
 * The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. `fips`:
 * from an archive of FIPS builds. `esm`: from an archive of Expanded Security Maintenance.
 */
type Origin =
  | {
      readonly kind: 'distribution';
      readonly stated: boolean;
      readonly fips: boolean;
      readonly esm: boolean;
    }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** The facts that determine a package's origin. */
interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/** `Origin` of Ubuntu's archive and of the Ubuntu Pro archives that advisories cover. */
const ubuntuOrigins: ReadonlySet<string> = new Set([
  'ubuntu',
  'ubuntuesm',
  'ubuntuesmapps',
  'ubunturealtimekernel',
]);
const esmOrigins: ReadonlySet<string> = new Set(['ubuntuesm', 'ubuntuesmapps']);
const fipsOrigins: ReadonlySet<string> = new Set(['ubuntufips', 'ubuntufipsupdates', 'ubuntufipspreview']);
const backportsSuite = /-backports$/;
/** Marks of derivatives' own builds under Ubuntu's names. */
const derivedVersion = /linuxmint|\+mint\d|[~+]pop/;
const backportedVersion = /~bpo\d/;

/**
 * Decides whether Ubuntu's advisories for `release` cover a package. Packages of third parties (including every PPA),
 * backports and other releases are not compared.
 */
function originOf(facts: OriginFacts, release: Release): Origin {
  const vendor = statedMirror(facts.vendor)?.mirrors ?? facts.vendor.trim().toLowerCase();
  const suite = facts.suite.trim().toLowerCase();
  const fips = fipsOrigins.has(vendor);
  if (vendor !== '' && !fips && !ubuntuOrigins.has(vendor)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: facts.vendor };
  }
  if (backportsSuite.test(suite)) return { kind: 'foreign', reason: 'backport', detail: facts.suite };
  for (const version of [facts.version, facts.sourceVersion]) {
    if (derivedVersion.test(version)) {
      return { kind: 'foreign', reason: 'not_the_distributions', detail: version };
    }
    if (backportedVersion.test(version)) return { kind: 'foreign', reason: 'backport', detail: version };
  }
  if (isInNoRepository(facts)) return { kind: 'foreign', reason: 'no_repository', detail: facts.version };
  if (isOtherReleasesSuite(suite, release)) {
    return { kind: 'foreign', reason: 'other_release', detail: facts.suite };
  }
  return { kind: 'distribution', stated: vendor !== '', fips, esm: esmOrigins.has(vendor) };
}
