import { setTimeout as delay } from 'node:timers/promises';

/** Checks `condition` every `everyMs`; returns `false` if it still does not hold after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 20,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await delay(everyMs);
  }
  return true;
}
