import { distributionOf } from '@plimsoll/advisories';
import type { NamedVersion } from '@plimsoll/db';
import { type OsFamily, versionSchemes } from '@plimsoll/model';
import { compareKeys, parseVersion, sortKey, type VersionScheme, withoutEpoch } from '@plimsoll/versions';

/** How an installed version stands to a bound. */
export type BoundComparison = 'lower' | 'not_lower' | 'unknown';

/** A version that others are asked to be lower than. */
export interface VersionBound {
  readonly text: string;
  /** Vendors of different families give one upstream version different epochs: a bound without one compares none. */
  readonly epochs: 'compared' | 'ignored';
}

/** Reads a bound; null where no scheme reads it as a version. */
export function readBound(text: string): VersionBound | null {
  if (versionSchemes.every((scheme) => parseVersion(scheme, text).kind === 'unparseable')) return null;
  return { text, epochs: /^\s*\d+:/.test(text) ? 'compared' : 'ignored' };
}

/** Compares an installed version with a bound as its host's package manager does. */
export function compareWithBound(
  { release, osFamily, version }: NamedVersion,
  { text, epochs }: VersionBound,
): BoundComparison {
  const scheme = distributionOf(release)?.scheme ?? schemeOfFamily[osFamily];
  if (scheme === null) return 'unknown';
  const [installed, bound] = [keyOf(scheme, version, epochs), keyOf(scheme, text, epochs)];
  if (installed === null || bound === null) return 'unknown';
  return compareKeys(installed, bound) < 0 ? 'lower' : 'not_lower';
}

function keyOf(scheme: VersionScheme, text: string, epochs: VersionBound['epochs']): Uint8Array | null {
  const parsed = parseVersion(scheme, text);
  if (parsed.kind === 'unparseable') return null;
  return sortKey(epochs === 'ignored' ? withoutEpoch(parsed) : parsed);
}

/** Of hosts whose distribution is none of ours. */
const schemeOfFamily: Readonly<Record<OsFamily, VersionScheme | null>> = {
  apt: 'dpkg',
  rpm: 'rpm',
  unknown: null,
};
