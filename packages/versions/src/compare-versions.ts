import type { VersionScheme } from '@plimsoll/model';
import type { Order, Version } from './version.ts';
import { rulesOf } from './version-schemes.ts';

/**
 * Orders two parsed versions of one scheme without their keys. Total on versions of that scheme. Versions that differ
 * only in spelling (leading zeros, epoch 0, rpm separators) are equal. Throws TypeError on a version of another
 * scheme, because versions of different schemes have no order.
 */
export function compareVersions(scheme: VersionScheme, a: Version, b: Version): Order {
  if (a.scheme !== scheme || b.scheme !== scheme) {
    throw new TypeError(`cannot compare a ${a.scheme} and a ${b.scheme} version as ${scheme}`);
  }
  return rulesOf(scheme).compare(a, b);
}
