import { parseVersion, type Version, type VersionScheme, versionKey } from '../src/index.ts';

/** Parses a version text. Throws if it is not a version. */
export function versionOf(scheme: VersionScheme, text: string): Version {
  const parsed = parseVersion(scheme, text);
  if (parsed.kind === 'unparseable') throw new Error(`${JSON.stringify(text)}: ${parsed.reason}`);
  return parsed;
}

/** Returns the sort key of a version text. Throws if it is not a version. */
export function keyOf(scheme: VersionScheme, text: string): Uint8Array {
  const result = versionKey(scheme, text);
  if (result.kind === 'unparseable') throw new Error(`${JSON.stringify(text)}: ${result.reason}`);
  return result.key;
}
