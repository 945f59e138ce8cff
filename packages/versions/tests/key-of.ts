import { type VersionScheme, versionKey } from '../src/index.ts';

/** Returns the sort key of a version text. Throws if it is not a version. */
export function keyOf(scheme: VersionScheme, text: string): Uint8Array {
  const result = versionKey(scheme, text);
  if (result.kind === 'unparseable') throw new Error(`${JSON.stringify(text)}: ${result.reason}`);
  return result.key;
}
