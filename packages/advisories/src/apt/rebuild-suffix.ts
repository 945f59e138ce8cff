const rebuildSuffix = /\+b\d+$/;

/**
 * Returns a binary package version without its rebuild suffix, which source versions lack: `5.2.15-2` for
 * `5.2.15-2+b8` (Debian developer's reference, binary-only uploads).
 */
export function withoutRebuildSuffix(version: string): string {
  return version.replace(rebuildSuffix, '');
}
