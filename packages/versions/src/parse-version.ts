import type { VersionScheme } from '@plimsoll/model';
import type { ParsedVersion } from './version.ts';
import { rulesOf } from './version-schemes.ts';

/**
 * Parses a version text by the rules of its scheme. Never throws: returns `unparseable` for an invalid text. A missing
 * epoch and `(none)` are epoch 0.
 */
export function parseVersion(scheme: VersionScheme, text: string): ParsedVersion {
  return rulesOf(scheme).parse(text);
}
