import type { ContentEncoding } from '@plimsoll/contract';

/** How a request's body is to be read. */
export interface BodyLimits {
  readonly encoding: ContentEncoding | null;
  /** Of the body as sent, and of the body decompressed. */
  readonly limitBytes: number;
  /** How long the whole body may take. */
  readonly timeoutMs: number;
  /** Holds for bodies that are kept in memory; null: the client may send as slowly and as densely as it likes. */
  readonly pace: BodyPace | null;
}

/** How a body has to come so that holding it is worth it. */
export interface BodyPace {
  /** At least so many bytes, as sent, have to come in each `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
  /** A body may become so many times larger than it was sent; its first `freeBytes` are not asked. */
  readonly maxRatio: number;
  readonly freeBytes: number;
}
