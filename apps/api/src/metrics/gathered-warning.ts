import type { Logger } from '@plimsoll/process';

/** Shortest interval between two log lines, in milliseconds. */
const toldEveryMs = 60_000;

/**
 * Logs warnings about frequent events, at most once a minute, with the number of each kind since the last line. Returns
 * the function to call for each event; there must be few kinds.
 */
export function createGatheredWarning<Kind extends string>(
  log: Logger,
  message: string,
): (kind: Kind) => void {
  const untold = new Map<Kind, number>();
  let toldAt = -toldEveryMs;
  return (kind) => {
    untold.set(kind, (untold.get(kind) ?? 0) + 1);
    if (performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    log.warn({ times: Object.fromEntries(untold) }, message);
    untold.clear();
  };
}
