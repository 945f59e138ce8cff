export type { VersionScheme } from '@plimsoll/model';
export { compareKeys } from './compare-keys.ts';
export { compareVersions } from './compare-versions.ts';
export { MAX_KEY_BYTES } from './key-writer.ts';
export { parseVersion } from './parse-version.ts';
export {
  type DpkgVersion,
  MAX_VERSION_CHARACTERS,
  type Order,
  type ParsedVersion,
  type RpmVersion,
  type UnparseableReason,
  type UnparseableVersion,
  type Version,
} from './version.ts';
export { sortKey, type VersionKey, versionKey } from './version-key.ts';
export { withoutEpoch } from './without-epoch.ts';
