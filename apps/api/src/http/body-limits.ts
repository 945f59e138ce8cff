import type { ContentEncoding } from '@plimsoll/contract';

/** Limits for reading a request's body. */
export interface BodyLimits {
  readonly encoding: ContentEncoding | null;
  /** Limit of the body both as sent and decompressed. */
  readonly limitBytes: number;
  /** Time limit for the whole body. */
  readonly timeoutMs: number;
  /** For bodies kept in memory; null: no limit on pace and compression ratio. */
  readonly pace: BodyPace | null;
}

/** The pace and density that a body held in memory must have. */
export interface BodyPace {
  /** Bytes, as sent, that must arrive in each `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
  /** Highest ratio of decompressed to sent size; not applied to the first `freeBytes`. */
  readonly maxRatio: number;
  readonly freeBytes: number;
}
