import type { Logger } from '@plimsoll/observability';

/** How often the log is told at most, milliseconds. */
const toldEveryMs = 60_000;

/**
 * Warns in the log of what can happen very often, once a minute at most, with how often each kind happened since the last
 * warning. Returns what is called each time; kinds have to be few.
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
