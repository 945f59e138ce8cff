import type { KernelImage, Release, UnknownReason, Upgrade } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { isInNoRepository, withoutRebuildSuffix } from '../../builds.ts';
import {
  type CandidateSource,
  type Classification,
  type Distribution,
  listsService,
  type PackageSubject,
} from '../../distribution.ts';
import { statedMirror } from '../../origin-policy.ts';
import {
  type KernelSource,
  kernelLineOf,
  kernelRoleOf,
  kernelSourceOf,
  linuxVersionOf,
  runningVersionOf,
} from './kernel-package.ts';
import {
  isDebianRelease,
  isOtherReleasesSuite,
  lifecycleOf,
  releaseOfPlatform,
  servicesIn,
} from './releases.ts';

/** Debian. Hosts of derivatives share its packages, see baseOf. */
export const debian: Distribution = {
  id: 'debian',
  scheme: 'dpkg',
  releaseOf: releaseOfPlatform,
  owns: isDebianRelease,
  classify,
  classifyCompanion,
  classifyUpgrade,
  runningKernelVersion: ({ runningVersion }) => runningVersionOf(runningVersion),
  kernelOf: kernelImageOf,
  runningKernelSubject,
  hasService: listsService,
  servicesIn,
  lifecycleOf,
};

/** Classifies a package version for Debian's advisories of `release`; see Distribution.classify. */
function classify(subject: PackageSubject, release: Release): Classification {
  const source = kernelSourceOf(subject.sourceName);
  const role = kernelRoleOf(subject.name);
  if (source !== null && role?.role !== 'image') {
    if (role === null) return { kind: 'excluded', reason: 'kernel_companion' };
    return { kind: 'excluded', reason: 'kernel_metapackage', flavour: role.flavour };
  }
  return compare(subject, release, { source, kernel: role?.role === 'image' ? role : null });
}

/** What a kernel companion is compared with for display; see Distribution.classifyCompanion. */
function classifyCompanion(subject: PackageSubject, release: Release): Classification {
  return compare(subject, release, { source: kernelSourceOf(subject.sourceName), kernel: null });
}

function compare(
  subject: PackageSubject,
  release: Release,
  { source, kernel }: { readonly source: KernelSource | null; readonly kernel: KernelImage | null },
): Classification {
  const origin = originOf(subject, release);
  if (origin.kind === 'foreign') {
    return { kind: 'unknown', reason: origin.reason, detail: origin.detail, kernel };
  }
  if (kernel !== null && source === null) {
    const detail = `a kernel built from ${subject.sourceName}`;
    return { kind: 'unknown', reason: 'not_the_distributions', detail, kernel };
  }
  const compared = comparedVersion(source, subject.sourceName, sourceVersionOf(subject));
  if (compared === null) {
    return { kind: 'unknown', reason: 'unparseable_version', detail: subject.sourceVersion, kernel };
  }
  return { kind: 'comparable', ...compared, module: '', line: '', originStated: origin.stated, kernel };
}

/** Returns what an offered update is compared by; see Distribution.classifyUpgrade. */
function classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource {
  const role = kernelRoleOf(upgrade.name);
  const version = upgrade.candidateVersion;
  // The model substitutes name and version if the collector omitted the source.
  const stated = upgrade.sourceName !== upgrade.name || upgrade.sourceVersion !== version;
  const sourceName = stated || role === null ? upgrade.sourceName : kernelLineOf(version);
  const source = kernelSourceOf(sourceName);
  const kernelFlavour = role !== null && source !== null ? role.flavour : null;
  const sourceVersion = sourceVersionOf({ version, sourceVersion: upgrade.sourceVersion });
  const { origin: vendor, suite } = upgrade;
  const origin = originOf({ vendor, suite, version, sourceVersion }, release);
  if (origin.kind === 'foreign') {
    return { kind: 'unknown', reason: origin.reason, detail: origin.detail, kernelFlavour };
  }
  const compared = comparedVersion(source, sourceName, sourceVersion);
  if (compared === null) {
    return { kind: 'unknown', reason: 'unparseable_version', detail: sourceVersion, kernelFlavour };
  }
  return { kind: 'comparable', ...compared, stated, kernelFlavour };
}

/**
 * The subject of a running kernel that is not installed. Uses the installed image's source if that has the same
 * release; otherwise the version determines the source.
 */
function runningKernelSubject(like: PackageSubject, kernelRelease: string, version: string): PackageSubject {
  const image = kernelRoleOf(like.name);
  const sameRelease = image?.role === 'image' && image.release === kernelRelease;
  if (!sameRelease) {
    const name = `linux-image-${kernelRelease}`;
    return { ...like, name, version, sourceName: kernelLineOf(version), sourceVersion: version };
  }
  const source = kernelSourceOf(like.sourceName);
  return { ...like, version, sourceName: source?.matchName ?? like.sourceName, sourceVersion: version };
}

/** The kernel that a package with this name boots. */
function kernelImageOf(packageName: string): KernelImage | null {
  const role = kernelRoleOf(packageName);
  return role?.role === 'image' ? role : null;
}

function sourceVersionOf({ version, sourceVersion }: { version: string; sourceVersion: string }): string {
  return sourceVersion === version ? withoutRebuildSuffix(version) : sourceVersion;
}

function comparedVersion(
  source: KernelSource | null,
  sourceName: string,
  sourceVersion: string,
): { matchName: string; matchVersion: string; key: Uint8Array } | null {
  const matchName = source === null ? sourceName : source.matchName;
  const matchVersion = source === null ? sourceVersion : linuxVersionOf(source, sourceVersion);
  if (matchName === null || matchVersion === null) return null;
  const parsed = versionKey('dpkg', matchVersion);
  return parsed.kind === 'key' ? { matchName, matchVersion, key: parsed.key } : null;
}

/** The origin of a package version. `stated` false: the origin is unknown and assumed to be the distribution. */
type Origin =
  | { readonly kind: 'distribution'; readonly stated: boolean }
  | { readonly kind: 'foreign'; readonly reason: UnknownReason; readonly detail: string };

/** The facts that determine a package's origin. */
interface OriginFacts {
  readonly vendor: string;
  readonly suite: string;
  readonly version: string;
  readonly sourceVersion: string;
}

/**
 * `Origin` of Debian's archives, and the `Label` of its security archive, which apt prints instead. The
 * archives of Raspbian and Devuan contain Debian's packages under the same versions; changed packages have a
 * mark in their versions.
 */
const debianOrigins: ReadonlySet<string> = new Set(['debian', 'debian-security', 'raspbian', 'devuan']);
const backportsOrigin = 'debian backports';
const backportsSuite = /-backports(?:-sloppy)?$/;
const backportedVersion = /~bpo\d/;
/**
 * Marks of own packages of Raspberry Pi OS, which identifies as Debian, of Raspbian, Devuan and Linux Mint.
 */
const derivedVersion = /\+rp[it]\d|devuan|linuxmint|\+mint\d/;

/**
 * Decides whether Debian's advisories for `release` cover a package. Packages of third parties, backports and other
 * releases are not compared, because their fixed versions differ.
 */
function originOf(facts: OriginFacts, release: Release): Origin {
  const vendor = statedMirror(facts.vendor)?.mirrors ?? facts.vendor.trim().toLowerCase();
  const suite = facts.suite.trim().toLowerCase();
  if (vendor !== '' && vendor !== backportsOrigin && !debianOrigins.has(vendor)) {
    return { kind: 'foreign', reason: 'not_the_distributions', detail: facts.vendor };
  }
  if (vendor === backportsOrigin) return { kind: 'foreign', reason: 'backport', detail: facts.vendor };
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
  return { kind: 'distribution', stated: vendor !== '' };
}
