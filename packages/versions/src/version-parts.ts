import type { UnparseableReason, UnparseableVersion } from './version.ts';

/**
 * Positions of a version's parts in its text, as half-open index ranges, so that parser and key writer copy nothing.
 * "Version" and "release" also mean dpkg's upstream version and revision.
 */
export interface VersionParts {
  readonly kind: 'parts';
  /** The epoch's digits; an empty range is epoch 0. */
  readonly epochStart: number;
  readonly epochEnd: number;
  readonly versionStart: number;
  readonly versionEnd: number;
  /** -1 if there is no release. */
  readonly releaseStart: number;
  readonly releaseEnd: number;
}

/** The text that rpm and dpkg-query print for an absent tag. */
export const ABSENT_TAG = '(none)';

/** An absent epoch before a version. */
export const ABSENT_EPOCH = '(none):';

/** Builds the refusal of a text with its reason. */
export function unparseable(reason: UnparseableReason): UnparseableVersion {
  return { kind: 'unparseable', reason };
}

/** The epoch of `text` as canonical decimal digits, "0" if the range is empty. */
export function epochOf(text: string, parts: VersionParts): string {
  let start = parts.epochStart;
  while (start < parts.epochEnd && text[start] === '0') start++;
  return start < parts.epochEnd ? text.slice(start, parts.epochEnd) : '0';
}

/** The release of `text`; null if absent. */
export function releaseOf(text: string, parts: VersionParts): string | null {
  return parts.releaseStart < 0 ? null : text.slice(parts.releaseStart, parts.releaseEnd);
}
