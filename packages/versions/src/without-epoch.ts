import type { Version } from './version.ts';
import { rulesOf } from './version-schemes.ts';

/** The same version with epoch 0. */
export function withoutEpoch(version: Version): Version {
  return rulesOf(version.scheme).withoutEpoch(version);
}
