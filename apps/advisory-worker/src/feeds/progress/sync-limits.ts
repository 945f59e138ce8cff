/** The times of a sync, in milliseconds. */
export interface SyncLimits {
  /** A sync that does not advance for this long is ended. Does not apply to `matching`, whose statements have limits. */
  readonly stalledMs: number;
  /** A sync that advances is ended after this time, so that other feeds have their turn; the next one goes on. */
  readonly longestMs: number;
  /** The interval in which progress is stored. */
  readonly reportMs: number;
}

/** The times outside of tests. The job `advisory-sync` has a longer limit. */
export const syncLimits: SyncLimits = {
  stalledMs: 10 * 60_000,
  longestMs: 6 * 60 * 60_000,
  reportMs: 3_000,
};

/** A sync or an import was ended because it took too long; the message is a sentence for people. */
export class TookTooLong extends Error {}

/** The reason for ending what does not advance. */
export function stalled(ms: number): TookTooLong {
  return new TookTooLong(`It was ended because it did not advance for ${inWords(ms)}.`);
}

/** The reason for ending what takes too long. */
export function tooLong(ms: number): TookTooLong {
  return new TookTooLong(`It was ended after ${inWords(ms)}, unfinished.`);
}

function inWords(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes >= 2 ? `${Math.round(minutes)} minutes` : `${Math.round(ms / 1_000)} seconds`;
}
