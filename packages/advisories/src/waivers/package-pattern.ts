import type { PackageFamily, Platform, Release } from '@plimsoll/model';
import { readPackageUrl } from '../csaf/package-url.ts';
import { numberOfDebianCodename } from '../distributions/debian/releases.ts';
import { numberOfUbuntuCodename } from '../distributions/ubuntu/releases.ts';
import { distributionOf, releaseOf } from '../registry/distributions.ts';

/** The packages that a purl of a deb or rpm package is about. */
export interface PackagePattern {
  readonly name: string;
  /** Whether name and version are those of the source package. */
  readonly isSource: boolean;
  /** Without an epoch of 0; null: every version. */
  readonly version: string | null;
  /** Null: every architecture. */
  readonly architecture: string | null;
  /** The id of a distribution; null: every one. */
  readonly distribution: string | null;
  /** Null: every release. */
  readonly release: Release | null;
}

/** What of a package version a pattern is compared with. */
export interface PatternSubject {
  readonly name: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly architecture: string;
  readonly release: Release;
}

/** The distributions that purls have by another namespace than their own id (purl-spec, deb and rpm). */
const distributionsByNamespace: Readonly<Record<string, string>> = {
  redhat: 'rhel',
  ol: 'oracle',
  oraclelinux: 'oracle',
  amzn: 'amazon',
  'rocky-linux': 'rocky',
  alma: 'almalinux',
};

/** The os-release ids of namespaces. */
const osIds: Readonly<Record<string, string>> = {
  redhat: 'rhel',
  oracle: 'ol',
  oraclelinux: 'ol',
  amazon: 'amzn',
  opensuse: 'opensuse-leap',
  suse: 'sles',
};

/** The types of purls, and whether the epoch of a version is a qualifier. */
const types: Readonly<
  Record<string, { readonly family: PackageFamily; readonly epochIsQualifier: boolean }>
> = {
  deb: { family: 'apt', epochIsQualifier: false },
  rpm: { family: 'rpm', epochIsQualifier: true },
};
const maxTextCharacters = 300;

/** A platform of which only the ids of its release are known. */
const nowhere: Platform = {
  osFamily: 'unknown',
  osId: '',
  osVersionId: '',
  osVersion: '',
  osCodename: '',
  osPrettyName: '',
  architecture: '',
  hostname: '',
  machineId: '',
  virtualization: '',
  ipAddresses: [],
};

/**
 * Reads a purl: `pkg:deb/debian/openssl@3.0.15-1?arch=amd64&distro=debian-12`, `pkg:rpm/redhat/openssl`. Null if it is of
 * another type, malformed, or of a distribution or release that is not known: it is then about no package here.
 */
export function readPackagePattern(purl: string): PackagePattern | null {
  const url = readPackageUrl(purl);
  const type = url === null || !Object.hasOwn(types, url.type) ? undefined : types[url.type];
  if (url === null || type === undefined || url.name.length > maxTextCharacters) return null;
  const { name, qualifiers } = url;
  const namespace = url.namespace.toLowerCase();
  const distribution = namespace === '' ? null : (distributionsByNamespace[namespace] ?? namespace);
  const distro = qualifiers.get('distro') ?? '';
  const release = distro === '' ? null : releaseOfDistro(distro, namespace, type.family);
  if (distro !== '' && release === null) return null;
  // Without a version it would be about packages outside of the module, too.
  if (url.version === null && (qualifiers.has('rpmmod') || qualifiers.has('modularitylabel'))) return null;
  const arch = qualifiers.get('arch') ?? '';
  const isSource = arch === 'source' || arch === 'src';
  const epoch = type.epochIsQualifier ? (qualifiers.get('epoch') ?? '0') : '0';
  const version = url.version === null ? null : epoch === '0' ? url.version : `${epoch}:${url.version}`;
  return {
    name,
    isSource,
    version: version === null ? null : withoutZeroEpoch(version),
    architecture: arch === '' || isSource ? null : arch,
    distribution,
    release,
  };
}

/** Whether a pattern is about a package version. */
export function matchesPattern(pattern: PackagePattern, subject: PatternSubject): boolean {
  const [name, version] = pattern.isSource
    ? [subject.sourceName, subject.sourceVersion]
    : [subject.name, subject.version];
  return (
    name === pattern.name &&
    (pattern.version === null || withoutZeroEpoch(version) === pattern.version) &&
    (pattern.architecture === null || subject.architecture === pattern.architecture) &&
    (pattern.release === null || subject.release === pattern.release) &&
    (pattern.distribution === null || distributionOf(subject.release)?.id === pattern.distribution)
  );
}

function withoutZeroEpoch(version: string): string {
  return version.startsWith('0:') ? version.slice(2) : version;
}

/** The release of a qualifier `distro`: `debian-12`, `rhel-9.4`, `bookworm`. */
function releaseOfDistro(distro: string, namespace: string, family: PackageFamily): Release | null {
  const word = distro.slice(distro.lastIndexOf('/') + 1).toLowerCase();
  const number = numberOfCodename(word, namespace);
  const dash = word.lastIndexOf('-');
  const [osId, osVersionId] =
    number !== null
      ? [namespace, number]
      : dash > 0
        ? [word.slice(0, dash), word.slice(dash + 1)]
        : [osIds[namespace] ?? namespace, word];
  const verdict = releaseOf({ ...nowhere, osFamily: family, osId, osVersionId });
  return verdict.kind === 'release' ? verdict.release : null;
}

function numberOfCodename(word: string, namespace: string): string | null {
  if (namespace === 'debian') return numberOfDebianCodename(word);
  return namespace === 'ubuntu' ? numberOfUbuntuCodename(word) : null;
}
