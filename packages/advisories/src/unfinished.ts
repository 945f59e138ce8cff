import type { VersionScheme } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { withoutRebuildSuffix } from './builds.ts';
import type { Classification, PackageSubject } from './distribution.ts';

type Comparable = Extract<Classification, { kind: 'comparable' }>;

/**
 * The build of a package beside an installation that did not end; see PackageVersionIdentity. Its source version follows
 * the one that is stated. If nothing is known of it, it is the least that is lower (deb-version(7), `~`): then the fixes
 * that exactly the unfinished version brings are open.
 */
export function otherBuild(subject: PackageSubject, version: string): PackageSubject {
  const { version: unpacked, sourceVersion } = subject;
  if (version === '') return { ...subject, version: `${unpacked}~`, sourceVersion: `${sourceVersion}~` };
  const [plain, other] = [unpacked, version].map(withoutRebuildSuffix) as [string, string]; // As many as came.
  const prefix = plain.endsWith(sourceVersion) ? plain.slice(0, -sourceVersion.length) : null;
  const follows = prefix !== null && other.startsWith(prefix);
  return { ...subject, version, sourceVersion: follows ? other.slice(prefix.length) : `${sourceVersion}~` };
}

/**
 * The verdict on a package whose installation did not end. deb: what was configured before counts, unless the unpacked
 * version is not higher. rpm: the package is one of two, and the higher one remains.
 */
export function unfinishedVerdict(
  stated: Comparable,
  other: Classification,
  scheme: VersionScheme,
): Classification {
  if (other.kind !== 'comparable') return stated;
  const [lower, higher] = scheme === 'dpkg' ? [other, stated] : [stated, other];
  if (compareKeys(lower.key, higher.key) >= 0) return stated;
  return { ...lower, reached: higher.matchVersion };
}
