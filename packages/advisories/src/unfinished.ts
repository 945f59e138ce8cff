import type { VersionScheme } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { withoutRebuildSuffix } from './builds.ts';
import type { Classification, PackageSubject } from './distribution.ts';

type Comparable = Extract<Classification, { kind: 'comparable' }>;

/**
 * The build of a package beside an installation that did not end; see PackageVersionIdentity. Its source version follows
 * the one that is stated, but for its epoch (`2:2.6.2+samba4.17.12` of `2:4.17.12`). Null if that is not known.
 */
export function otherBuild(subject: PackageSubject, version: string): PackageSubject | null {
  const { version: unpacked, sourceVersion } = subject;
  const [plain, other] = [unpacked, version].map(withoutRebuildSuffix) as [string, string]; // As many as came.
  const epoch = plain.endsWith(sourceVersion) ? '' : (/^\d+:/.exec(sourceVersion)?.[0] ?? '');
  const rest = sourceVersion.slice(epoch.length);
  const prefix = plain.endsWith(rest) ? plain.slice(0, -rest.length) : null;
  if (version === '' || prefix === null || !other.startsWith(prefix)) return null;
  return { ...subject, version, sourceVersion: epoch + other.slice(prefix.length) };
}

/** Whether the version that is stated is the one that was not reached. rpm states both, each as installed. */
const statesUnpacked: Readonly<Record<VersionScheme, boolean>> = { dpkg: true, rpm: false };

/**
 * The verdict on a package whose installation did not end. deb: what was configured before counts, unless the unpacked
 * version is not higher. rpm: the package is one of two, and the higher one remains.
 * @param other null: not known.
 */
export function unfinishedVerdict(
  stated: Comparable,
  other: Classification | null,
  scheme: VersionScheme,
): Classification {
  const isUnpacked = statesUnpacked[scheme];
  if (other?.kind !== 'comparable') {
    if (!isUnpacked) return stated;
    return other ?? { kind: 'unknown', reason: 'unfinished', detail: stated.matchVersion, kernel: null };
  }
  const [lower, higher] = isUnpacked ? [other, stated] : [stated, other];
  if (compareKeys(lower.key, higher.key) >= 0) return stated;
  return { ...lower, reached: higher.matchVersion };
}
