export type { VersionScheme } from '@plimsoll/model';
export { MAX_KEY_BYTES } from './numbers.ts';
export { MAX_VERSION_CHARACTERS, type Order, type UnparseableReason, type Version } from './version.ts';
export {
  compareKeys,
  compareVersions,
  parseVersion,
  sortKey,
  versionKey,
  withoutEpoch,
} from './version-schemes.ts';
