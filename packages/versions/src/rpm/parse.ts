import type { RpmVersion, UnparseableVersion } from '../version.ts';
import { epochOf, releaseOf } from '../version-parts.ts';
import { locateRpmParts } from './parts.ts';

/** Parses `[epoch:]version[-release]`; see locateRpmParts for accepted and refused texts. */
export function parseRpmVersion(text: string): RpmVersion | UnparseableVersion {
  const parts = locateRpmParts(text);
  if (parts.kind === 'unparseable') return parts;
  return {
    kind: 'version',
    scheme: 'rpm',
    epoch: epochOf(text, parts),
    version: text.slice(parts.versionStart, parts.versionEnd),
    release: releaseOf(text, parts),
  };
}
