/** The time limits of a sync, in milliseconds. */
export interface SyncLimits {
  /**
   * Ends a sync without progress for this long. Does not apply to `matching`, whose statements have their own
   * limits.
   */
  readonly stalledMs: number;
  /**
   * Ends a sync with progress after this time, so that other feeds get their turn; the next sync continues
   * it.
   */
  readonly longestMs: number;
  /** The interval in which progress is stored. */
  readonly reportMs: number;
}

/** The limits in production. The job `advisory-sync` has a longer one. */
export const syncLimits: SyncLimits = {
  stalledMs: 10 * 60_000,
  longestMs: 6 * 60 * 60_000,
  reportMs: 3_000,
};

/** A sync or an import was aborted because it took too long; the message is a sentence for users. */
export class TookTooLong extends Error {}

/** The error for a sync or import without progress. */
export function stalled(ms: number): TookTooLong {
  return new TookTooLong(`It was ended because it did not advance for ${inWords(ms)}.`);
}

/** The error for a sync or import that takes too long. */
export function tooLong(ms: number): TookTooLong {
  return new TookTooLong(`It was ended after ${inWords(ms)}, unfinished.`);
}

function inWords(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes >= 2 ? `${Math.round(minutes)} minutes` : `${Math.round(ms / 1_000)} seconds`;
}
