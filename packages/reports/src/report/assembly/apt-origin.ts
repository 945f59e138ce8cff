import { isDpkgStatus, type PackageFile } from '../sections/apt-files.ts';
import type { PackagePolicy, PolicyVersion } from '../sections/apt-policy.ts';

/** The origin of an apt package; empty if unknown. */
export interface AptOrigin {
  readonly vendor: string;
  readonly label: string;
  readonly suite: string;
}

const unknownOrigin: AptOrigin = { vendor: '', label: '', suite: '' };
/** apt's name for the archive of versions that only the list of installed packages has: no repository has them. */
const installedOnly: AptOrigin = { vendor: '', label: '', suite: 'now' };

/** The package files that apt knows, and the distribution of the host. */
export class AptArchives {
  readonly files: ReadonlyMap<string, PackageFile>;
  /** `ID` of os-release. */
  readonly osId: string;
  /** Whether the list of every source was read, so that what none of them has is in no repository. */
  readonly areAllRead: boolean;
  private readonly byRelease: ReadonlyMap<string, PackageFile>;

  constructor(files: ReadonlyMap<string, PackageFile>, osId: string, areAllRead: boolean) {
    this.files = files;
    this.osId = osId;
    this.areAllRead = areAllRead;
    // Of several lists of one release the first applies.
    this.byRelease = new Map([...files.values()].reverse().map((file) => [releaseName(file), file]));
  }

  /** The package file for a simulation's text such as `Debian:12.11/stable, …`: the first known one. */
  named(releases: string): PackageFile | null {
    for (const name of releases.split(', ')) {
      const file = this.byRelease.get(name);
      if (file !== undefined) return file;
    }
    return null;
  }
}

/**
 * The origin of an installed package: the source that offers the installed version; else the source of the candidate
 * that replaces it; else, if only third parties offer packages of its name, the first of them. The suite is known only
 * while the installed version is offered. If no repository has it and none a higher version, which would have superseded it,
 * it comes from none of them.
 */
export function installedOrigin(policy: PackagePolicy, version: string, archives: AptArchives): AptOrigin {
  if (policy.installed !== version) return unknownOrigin;
  const own = archiveOf(policy, version, archives);
  if (own !== null) return { vendor: vendorOf(own), label: own.label, suite: suiteOf(own) };
  const candidate = policy.candidate === null ? null : archiveOf(policy, policy.candidate, archives);
  if (candidate !== null) return { vendor: vendorOf(candidate), label: candidate.label, suite: '' };
  const offered = policy.versions.flatMap((entry) => repositoriesOf(entry, archives));
  const [first] = offered;
  const isThirdParty = first !== undefined && !offered.some((file) => isDistributions(file, archives.osId));
  if (isThirdParty) return { vendor: vendorOf(first), label: first.label, suite: '' };
  const [highest] = policy.versions;
  const isAlone = highest?.version === version && highest.files.every(isDpkgStatus);
  return archives.areAllRead && isAlone ? installedOnly : unknownOrigin;
}

/** The package file that offers a version: the distribution's if it does, else the first. */
export function archiveOf(policy: PackagePolicy, version: string, archives: AptArchives): PackageFile | null {
  const entry = policy.versions.find((other) => other.version === version);
  const files = entry === undefined ? [] : repositoriesOf(entry, archives);
  return files.find((file) => isDistributions(file, archives.osId)) ?? files[0] ?? null;
}

/** The package files of repositories that have a version, without those that apt did not describe. */
export function repositoriesOf({ files }: PolicyVersion, archives: AptArchives): readonly PackageFile[] {
  return files.flatMap((description) =>
    isDpkgStatus(description) ? [] : (archives.files.get(description) ?? []),
  );
}

/** The origin in a package file; without one, the server name or the location identifies the repository. */
export function vendorOf({ origin, site, description }: PackageFile): string {
  if (origin !== '') return origin;
  return site === '' ? (description.split(' ', 1)[0] ?? '') : site;
}

/**
 * The suite of a package file: the codename, which does not change when a release ages (`bookworm-security`, not
 * `oldstable-security`), unless only the archive's name contains the pocket, as in Ubuntu's `jammy-security`.
 */
export function suiteOf({ codename, archive }: PackageFile): string {
  return codename === '' || archive.startsWith(`${codename}-`) ? archive : codename;
}

/** A package file's name in apt-get's simulation: `Debian-Security:12/oldstable-security`. */
export function releaseName({ label, version, archive, site }: PackageFile): string {
  const release = archive === '' ? site : version === '' ? archive : `${version}/${archive}`;
  return label === '' ? release : `${label}:${release}`;
}

/** Whether a package file belongs to an archive of security updates. */
export function isSecurityArchive({ label, archive, codename }: PackageFile): boolean {
  return label === 'Debian-Security' || archive.endsWith('-security') || codename.endsWith('-security');
}

/** `Debian` and `Debian Backports` belong to `debian`, `UbuntuESM` to `ubuntu`. */
export function isDistributions({ origin }: Pick<PackageFile, 'origin'>, osId: string): boolean {
  return osId !== '' && origin.toLowerCase().startsWith(osId);
}
