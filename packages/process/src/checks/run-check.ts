import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '@plimsoll/model';

/** The result of a check without its name. */
export type Finding = Omit<Check, 'name'>;

/** A check found nothing to do. */
export const ok = (says: string): Finding => ({ state: 'ok', says, do: null });
/** Something needs attention soon. */
export const warning = (says: string, remedy: string): Finding => ({ state: 'warning', says, do: remedy });
/** Something does not work, or hosts are judged wrongly. */
export const fault = (says: string, remedy: string): Finding => ({ state: 'fault', says, do: remedy });
/** The check could not be made. */
export const unknown = (says: string, remedy: string | null = null): Finding => ({
  state: 'unknown',
  says,
  do: remedy,
});

const limitMs = 10_000;

/** Checks by name. */
export type Looks = Readonly<Record<string, () => Promise<Finding>>>;

/**
 * Makes checks at once; the results are in the order of `looks`. Never rejects: an error, or no result within ten seconds,
 * is `unknown` with the reason.
 */
export function runChecks(looks: Looks, sentenceOf: (error: unknown) => string): Promise<readonly Check[]> {
  return Promise.all(Object.entries(looks).map(([name, look]) => runCheck(name, look, sentenceOf)));
}

async function runCheck(
  name: string,
  look: () => Promise<Finding>,
  sentenceOf: (error: unknown) => string,
): Promise<Check> {
  const timer = new AbortController();
  const late = delay(limitMs, unknown('It did not end within ten seconds.'), { signal: timer.signal });
  // Aborted when the check ends first.
  late.catch(() => undefined);
  try {
    return { name, ...(await Promise.race([look(), late])) };
  } catch (error) {
    return { name, ...unknown(`It could not be checked: ${sentenceOf(error)}`) };
  } finally {
    timer.abort();
  }
}
