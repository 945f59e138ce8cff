export type { VersionScheme } from '@plimsoll/model';
export { MAX_KEY_BYTES } from './numbers.ts';
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
export {
  compareKeys,
  compareVersions,
  parseVersion,
  sortKey,
  type VersionKey,
  versionKey,
  withoutEpoch,
} from './version-schemes.ts';
