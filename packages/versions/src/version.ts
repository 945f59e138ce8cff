import type { VersionScheme } from '@plimsoll/model';

/** A Debian version. `epoch` is decimal digits without leading zeros, "0" if the text has none. */
export interface DpkgVersion {
  readonly kind: 'version';
  readonly scheme: 'dpkg';
  readonly epoch: string;
  readonly upstream: string;
  /** Null if the text has none; dpkg treats that as "0". */
  readonly revision: string | null;
}

/** An rpm EVR. `epoch` is decimal digits without leading zeros, "0" if the text has none or `(none)`. */
export interface RpmVersion {
  readonly kind: 'version';
  readonly scheme: 'rpm';
  readonly epoch: string;
  readonly version: string;
  /** Null if the text has none; it then sorts before every release, including the empty one. */
  readonly release: string | null;
}

type OfEveryScheme<Types extends Readonly<Record<VersionScheme, unknown>>> = Types;

/** The parsed version type of each scheme. */
type VersionTypes = OfEveryScheme<{ readonly dpkg: DpkgVersion; readonly rpm: RpmVersion }>;

/** A parsed version; it always has a sort key. */
export type Version = VersionTypes[keyof VersionTypes];

/** A parsed version of scheme `S`. */
export type VersionOf<S extends VersionScheme> = Extract<Version, { readonly scheme: S }>;

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

/** The result of parsing a text. */
export type ParsedVersion = Version | UnparseableVersion;

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
