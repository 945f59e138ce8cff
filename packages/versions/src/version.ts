/** Why a text is not a version. The list is closed. */
export type UnparseableReason =
  | 'empty'
  | 'too_long'
  | 'invalid_character'
  | 'invalid_epoch'
  | 'empty_version'
  | 'empty_revision';

/** A text that cannot be ordered: its verdict is "unknown", never "not affected". */
export interface UnparseableVersion {
  readonly kind: 'unparseable';
  readonly reason: UnparseableReason;
}

/** Three-way order: negative if the first sorts before the second. */
export type Order = -1 | 0 | 1;

/**
 * Longest text that is parsed, in UTF-16 code units; the longest real version seen has 69. A character needs at most
 * two key bytes, so no version within this limit has a key above MAX_KEY_BYTES.
 */
export const MAX_VERSION_CHARACTERS = 480;

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
