import type { UnparseableReason, UnparseableVersion } from './version.ts';

/**
 * Where the parts of a version stand in its text, as half-open index ranges: found without copying, for the parser
 * and the key writer alike. "Version" and "release" are dpkg's upstream version and revision too.
 */
export interface VersionParts {
  readonly kind: 'parts';
  /** The epoch's digits; an empty range is epoch 0. */
  readonly epochStart: number;
  readonly epochEnd: number;
  readonly versionStart: number;
  readonly versionEnd: number;
  /** -1 where there is no release. */
  readonly releaseStart: number;
  readonly releaseEnd: number;
}

/** What rpm and dpkg-query print for a tag that is absent. */
export const ABSENT_TAG = '(none)';

/** An absent epoch as it stands before a version. */
export const ABSENT_EPOCH = '(none):';

/** The refusal of a text, for one reason. */
export function unparseable(reason: UnparseableReason): UnparseableVersion {
  return { kind: 'unparseable', reason };
}

/** The epoch of `text` as canonical decimal digits, "0" where the range is empty. */
export function epochOf(text: string, parts: VersionParts): string {
  let start = parts.epochStart;
  while (start < parts.epochEnd && text[start] === '0') start++;
  return start < parts.epochEnd ? text.slice(start, parts.epochEnd) : '0';
}

/** The release of `text`, or null where there is none. */
export function releaseOf(text: string, parts: VersionParts): string | null {
  return parts.releaseStart < 0 ? null : text.slice(parts.releaseStart, parts.releaseEnd);
}
