import type { DpkgVersion, UnparseableVersion } from '../version.ts';
import { epochOf, releaseOf } from '../version-parts.ts';
import { locateDpkgParts } from './parts.ts';

/** Parses `[epoch:]upstream[-revision]`; see locateDpkgParts for accepted and refused texts, and deb-version(7). */
export function parseDpkgVersion(text: string): DpkgVersion | UnparseableVersion {
  const parts = locateDpkgParts(text);
  if (parts.kind === 'unparseable') return parts;
  return {
    kind: 'version',
    scheme: 'dpkg',
    epoch: epochOf(text, parts),
    upstream: text.slice(parts.versionStart, parts.versionEnd),
    revision: releaseOf(text, parts),
  };
}
