import type { VersionScheme } from '@plimsoll/model';

/** A Debian version. `epoch` is decimal digits without leading zeros, "0" where the text has none. */
export interface DpkgVersion {
  readonly kind: 'version';
  readonly scheme: 'dpkg';
  readonly epoch: string;
  readonly upstream: string;
  /** Null where the text has none; dpkg orders that like "0". */
  readonly revision: string | null;
}

/** An rpm EVR. `epoch` is decimal digits without leading zeros, "0" where the text has none or `(none)`. */
export interface RpmVersion {
  readonly kind: 'version';
  readonly scheme: 'rpm';
  readonly epoch: string;
  readonly version: string;
  /** Null where the text has none, which sorts before every release, the empty one included. */
  readonly release: string | null;
}

type OfEveryScheme<Types extends Readonly<Record<VersionScheme, unknown>>> = Types;

/** What a text of each scheme parses to. */
type VersionTypes = OfEveryScheme<{ readonly dpkg: DpkgVersion; readonly rpm: RpmVersion }>;

/** A version that parsed; it always has a sort key. */
export type Version = VersionTypes[keyof VersionTypes];

/** A version of scheme `S` that parsed. */
export type VersionOf<S extends VersionScheme> = Extract<Version, { readonly scheme: S }>;

/** Why a text is no version. The list is closed. */
export type UnparseableReason =
  | 'empty'
  | 'too_long'
  | 'invalid_character'
  | 'invalid_epoch'
  | 'empty_version'
  | 'empty_revision';

/** A text that has no place in the order: its verdict is "unknown", never "not affected". */
export interface UnparseableVersion {
  readonly kind: 'unparseable';
  readonly reason: UnparseableReason;
}

/** What a text turned out to be. */
export type ParsedVersion = Version | UnparseableVersion;

/** Three-way order: negative where the first sorts before the second. */
export type Order = -1 | 0 | 1;

/**
 * Longest text that is parsed, in UTF-16 code units; the longest real version seen has 69. A character costs at most
 * two key bytes, so that no version within this cap can have a key over MAX_KEY_BYTES.
 */
export const MAX_VERSION_CHARACTERS = 480;
