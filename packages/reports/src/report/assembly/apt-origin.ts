import { isDpkgStatus, type PackageFile } from '../sections/apt-files.ts';
import type { PackagePolicy, PolicyVersion } from '../sections/apt-policy.ts';

/** Where an apt package comes from; empty where that is unknown. */
export interface AptOrigin {
  readonly vendor: string;
  readonly suite: string;
}

const unknownOrigin: AptOrigin = { vendor: '', suite: '' };

/** The package files that apt knows, and whose distribution they are seen from. */
export class AptArchives {
  readonly files: ReadonlyMap<string, PackageFile>;
  /** `ID` of os-release. */
  readonly osId: string;
  private readonly byRelease: ReadonlyMap<string, PackageFile>;

  constructor(files: ReadonlyMap<string, PackageFile>, osId: string) {
    this.files = files;
    this.osId = osId;
    // The first of several lists of one release stays.
    this.byRelease = new Map([...files.values()].reverse().map((file) => [releaseName(file), file]));
  }

  /** The package file behind the words of a simulation: the first that is known of `Debian:12.11/stable, …`. */
  named(releases: string): PackageFile | null {
    for (const name of releases.split(', ')) {
      const file = this.byRelease.get(name);
      if (file !== undefined) return file;
    }
    return null;
  }
}

/**
 * Where an installed package comes from: from whoever offers the installed version; if nobody does any more, from whoever
 * offers the candidate that replaces it; if only third parties offer packages of its name, from the first of them. Its
 * suite is known only where the installed version itself is still offered.
 */
export function installedOrigin(policy: PackagePolicy, version: string, archives: AptArchives): AptOrigin {
  if (policy.installed !== version) return unknownOrigin;
  const own = archiveOf(policy, version, archives);
  if (own !== null) return { vendor: vendorOf(own), suite: suiteOf(own) };
  const candidate = policy.candidate === null ? null : archiveOf(policy, policy.candidate, archives);
  if (candidate !== null) return { vendor: vendorOf(candidate), suite: '' };
  const offered = policy.versions.flatMap((entry) => repositoriesOf(entry, archives));
  const [first] = offered;
  const isThirdParty = first !== undefined && !offered.some((file) => isDistributions(file, archives.osId));
  return isThirdParty ? { vendor: vendorOf(first), suite: '' } : unknownOrigin;
}

/** The package file that a version is said to come from: the distribution's own if it has it, else the first. */
export function archiveOf(policy: PackagePolicy, version: string, archives: AptArchives): PackageFile | null {
  const entry = policy.versions.find((other) => other.version === version);
  const files = entry === undefined ? [] : repositoriesOf(entry, archives);
  return files.find((file) => isDistributions(file, archives.osId)) ?? files[0] ?? null;
}

/** The package files of repositories that have a version; those that apt did not describe are left out. */
export function repositoriesOf({ files }: PolicyVersion, archives: AptArchives): readonly PackageFile[] {
  return files.flatMap((description) =>
    isDpkgStatus(description) ? [] : (archives.files.get(description) ?? []),
  );
}

/** The origin a package file states; a repository that states none is known by its server, or by where it lies. */
export function vendorOf({ origin, site, description }: PackageFile): string {
  if (origin !== '') return origin;
  return site === '' ? (description.split(' ', 1)[0] ?? '') : site;
}

/**
 * The suite of a package file: the codename, which stays what it is when a release grows old (`bookworm-security`, not
 * `oldstable-security`), except where only the archive's name tells the pocket, as Ubuntu's `jammy-security` does.
 */
export function suiteOf({ codename, archive }: PackageFile): string {
  return codename === '' || archive.startsWith(`${codename}-`) ? archive : codename;
}

/** A package file as apt-get names it in its simulation: `Debian-Security:12/oldstable-security`. */
export function releaseName({ label, version, archive, site }: PackageFile): string {
  const release = archive === '' ? site : version === '' ? archive : `${version}/${archive}`;
  return label === '' ? release : `${label}:${release}`;
}

/** Whether a package file is an archive for security updates. */
export function isSecurityArchive({ label, archive, codename }: PackageFile): boolean {
  return label === 'Debian-Security' || archive.endsWith('-security') || codename.endsWith('-security');
}

/** `Debian` and `Debian Backports` are of `debian`, `UbuntuESM` is of `ubuntu`. */
function isDistributions({ origin }: PackageFile, osId: string): boolean {
  return osId !== '' && origin.toLowerCase().startsWith(osId);
}
