import { compareDpkgVersions } from './dpkg/compare.ts';
import { compareRpmVersions } from './rpm/compare.ts';
import type { Order, Version, VersionScheme } from './version.ts';

/**
 * Orders two parsed versions of one scheme, without their keys. Total on versions of that scheme; versions that differ
 * only in spelling (leading zeros, epoch 0, in rpm separators) are equal. Throws TypeError on a version of another
 * scheme, because there is no order between schemes.
 */
export function compareVersions(scheme: VersionScheme, a: Version, b: Version): Order {
  if (scheme === 'dpkg' && a.scheme === 'dpkg' && b.scheme === 'dpkg') return compareDpkgVersions(a, b);
  if (scheme === 'rpm' && a.scheme === 'rpm' && b.scheme === 'rpm') return compareRpmVersions(a, b);
  throw new TypeError(`cannot compare a ${a.scheme} and a ${b.scheme} version as ${scheme}`);
}
