import { distributionOf } from '@plimsoll/advisories';
import type { NamedVersion } from '@plimsoll/db';
import { type OsFamily, versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';

/** How an installed version compares with a bound. */
export type BoundComparison = 'lower' | 'not_lower' | 'unknown';

/** A version that installed versions are compared with. */
export interface VersionBound {
  readonly text: string;
  /** Vendors give one upstream version different epochs, so a bound without an epoch ignores epochs. */
  readonly epochs: 'compared' | 'ignored';
}

/** Parses a bound; null if no scheme can read it as a version. */
export function readBound(text: string): VersionBound | null {
  if (versionSchemes.every((scheme) => versionKey(scheme, text).kind === 'unparseable')) return null;
  return { text, epochs: /^\s*\d+:/.test(text) ? 'compared' : 'ignored' };
}

/** Compares an installed version with a bound as its host's package manager does. */
export function compareWithBound(
  { release, osFamily, version }: NamedVersion,
  { text, epochs }: VersionBound,
): BoundComparison {
  const scheme = distributionOf(release)?.scheme ?? schemeOfFamily[osFamily];
  if (scheme === null) return 'unknown';
  const [installed, bound] = [versionKey(scheme, version, epochs), versionKey(scheme, text, epochs)];
  if (installed.kind === 'unparseable' || bound.kind === 'unparseable') return 'unknown';
  return compareKeys(installed.key, bound.key) < 0 ? 'lower' : 'not_lower';
}

/** Null for distributions that are not supported. */
const schemeOfFamily: Readonly<Record<OsFamily, VersionScheme | null>> = {
  apt: 'dpkg',
  rpm: 'rpm',
  unknown: null,
};
