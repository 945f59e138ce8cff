import { parseDpkgVersion } from './dpkg/parse.ts';
import { parseRpmVersion } from './rpm/parse.ts';
import type { ParsedVersion, VersionScheme } from './version.ts';

/**
 * Parses a version text by the rules of its scheme. Never throws: what is no version comes back as `unparseable`. A
 * missing epoch and `(none)` are epoch 0.
 */
export function parseVersion(scheme: VersionScheme, text: string): ParsedVersion {
  return scheme === 'dpkg' ? parseDpkgVersion(text) : parseRpmVersion(text);
}
