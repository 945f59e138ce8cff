/** Rest after a piece of work for which nothing waits, as a multiple of the time for the piece: what is waited for comes first. */
const restPerWork = 3;
/** A piece takes long, too, if it waits for a lock or the machine is suspended meanwhile. */
const longestRestMs = 5_000;

/** Milliseconds to rest after a piece that took `tookMs`. */
export function restMsAfter(tookMs: number): number {
  return Math.min(tookMs * restPerWork, longestRestMs);
}
