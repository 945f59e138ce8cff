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
