import { digitRunEnd } from '../digit-run.ts';
import { MAX_VERSION_CHARACTERS, type RpmVersion, type UnparseableVersion } from '../version.ts';
import {
  ABSENT_EPOCH,
  ABSENT_TAG,
  epochOf,
  releaseOf,
  unparseable,
  type VersionParts,
} from '../version-parts.ts';

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

const COLON = 0x3a;
const DASH = 0x2d;

/**
 * Finds the parts of `[epoch:]version[-release]` as rpm does: digits before a colon are the epoch (no digits: 0), the
 * last dash starts the release, which may be empty. Further colons and dashes belong to the version.
 *
 * `(none)`, which rpm prints for an absent tag, is epoch 0 and a missing release. Refuses an empty text, an empty or
 * `(none)` version, and whitespace or control characters anywhere. Accepts every other character: rpmvercmp skips
 * unknown characters, including non-ASCII letters.
 */
export function locateRpmParts(text: string): VersionParts | UnparseableVersion {
  if (text.length > MAX_VERSION_CHARACTERS) return unparseable('too_long');
  const end = text.length;
  if (end === 0) return unparseable('empty');

  let epochEnd = digitRunEnd(text, 0);
  let versionStart = epochEnd + 1;
  if (text.startsWith(ABSENT_EPOCH)) {
    versionStart = ABSENT_EPOCH.length;
  } else if (text.charCodeAt(epochEnd) !== COLON) {
    epochEnd = 0;
    versionStart = 0;
  }

  let dash = -1;
  for (let at = versionStart; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBlankOrControl(code)) return unparseable('invalid_character');
    if (code === DASH) dash = at;
  }

  const versionEnd = dash < 0 ? end : dash;
  const versionIsEmpty = versionStart >= versionEnd || isAbsent(text, versionStart, versionEnd);
  if (versionIsEmpty) return unparseable('empty_version');
  const releaseStart = dash < 0 || isAbsent(text, dash + 1, end) ? -1 : dash + 1;
  return { kind: 'parts', epochStart: 0, epochEnd, versionStart, versionEnd, releaseStart, releaseEnd: end };
}

function isBlankOrControl(code: number): boolean {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0);
}

function isAbsent(text: string, start: number, end: number): boolean {
  return end - start === ABSENT_TAG.length && text.startsWith(ABSENT_TAG, start);
}
