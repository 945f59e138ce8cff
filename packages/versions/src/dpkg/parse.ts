import { digitRunEnd, isDigit } from '../digit-run.ts';
import { type DpkgVersion, MAX_VERSION_CHARACTERS, type UnparseableVersion } from '../version.ts';
import { ABSENT_EPOCH, epochOf, releaseOf, unparseable, type VersionParts } from '../version-parts.ts';
import { dpkgCharacterCode } from './sort-key.ts';

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

const COLON = 0x3a;
const DASH = 0x2d;

/**
 * Finds the parts of `[epoch:]upstream[-revision]`: the first colon ends the epoch, the last dash starts the revision.
 *
 * Accepts what `dpkg --compare-versions` accepts: blanks (space, tab) around the version, an upstream version that
 * does not start with a digit, `_` anywhere, `:` in the revision. The epoch `(none)` is 0, and an epoch may exceed
 * dpkg's limit of 2147483647. Refuses an empty text, an empty upstream version, an empty revision after a dash, an
 * epoch that is not all digits, and every character except ASCII letters, digits and `+ - . : ~ _`: inner whitespace,
 * control characters and non-ASCII text are refused.
 */
export function locateDpkgParts(text: string): VersionParts | UnparseableVersion {
  if (text.length > MAX_VERSION_CHARACTERS) return unparseable('too_long');
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  if (start === end) return unparseable('empty');

  const epochIsAbsent = text.startsWith(ABSENT_EPOCH, start);
  let colon = epochIsAbsent ? start + ABSENT_EPOCH.length - 1 : -1;
  let dash = -1;
  for (let at = epochIsAbsent ? colon + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) continue;
    if (dpkgCharacterCode(code) === 0) return unparseable('invalid_character');
    if (code === DASH) dash = at;
    else if (code === COLON && colon < 0) colon = at;
  }

  const epochStart = epochIsAbsent ? colon : start;
  const epochEnd = colon < 0 ? start : colon;
  const epochIsEmpty = colon === start;
  if (epochIsEmpty || digitRunEnd(text, epochStart, epochEnd) < epochEnd) return unparseable('invalid_epoch');

  const versionStart = colon < 0 ? start : colon + 1;
  const versionEnd = dash < 0 ? end : dash;
  if (versionStart >= versionEnd) return unparseable('empty_version');
  if (dash === end - 1) return unparseable('empty_revision');
  const releaseStart = dash < 0 ? -1 : dash + 1;
  return { kind: 'parts', epochStart, epochEnd, versionStart, versionEnd, releaseStart, releaseEnd: end };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
