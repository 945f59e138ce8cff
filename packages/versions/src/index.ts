export type { VersionScheme } from '@plimsoll/model';
export { compareKeys, versionKey } from './version-schemes.ts';
