const rebuildSuffix = /\+b\d+$/;

/**
 * A binary package version without the suffix of a rebuild, which no source version has: `5.2.15-2` for `5.2.15-2+b8`
 * (Debian developer's reference, binary-only uploads).
 */
export function withoutRebuildSuffix(version: string): string {
  return version.replace(rebuildSuffix, '');
}
