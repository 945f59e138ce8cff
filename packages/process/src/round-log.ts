import type { RoundStore } from '@plimsoll/db';
import type { RoundName } from '@plimsoll/model';
import { errorFields } from './error-fields.ts';
import type { Logger } from './logger.ts';

/** Runs rounds and notes how they went, where admins see it. */
export interface RoundLog {
  /**
   * Runs a round once and never throws; returns whether it succeeded. The result `not due` says nothing about the round.
   * Failures after `stopped` are not noted.
   */
  run(name: RoundName, work: () => Promise<unknown>, stopped?: AbortSignal): Promise<boolean>;
}

/** A round may run every two seconds: successes are stored, and failures stored and logged, once in this time. */
const notedEveryMs = 60_000;
const longestMessage = 500;

interface Noted {
  succeededMs: number;
  failedMs: number;
  /** Failures since the last one that was noted. */
  repeats: number;
}

/** The log of the rounds of one process. @param clock milliseconds that only grow */
export function createRoundLog(
  store: Pick<RoundStore, 'noteSuccess' | 'noteFailure'>,
  log: Pick<Logger, 'error' | 'debug'>,
  clock = () => performance.now(),
): RoundLog {
  const known = new Map<RoundName, Noted>();
  const stored = (noting: Promise<void>) =>
    noting.catch((error: unknown) => log.debug({ err: error }, 'a round could not be noted'));

  async function noteSuccess(name: RoundName, noted: Noted): Promise<void> {
    if (clock() - noted.succeededMs < notedEveryMs) return;
    noted.succeededMs = clock();
    await stored(store.noteSuccess(name));
  }

  async function noteFailure(name: RoundName, noted: Noted, error: unknown): Promise<void> {
    if (clock() - noted.failedMs < notedEveryMs) {
      noted.repeats += 1;
      return;
    }
    log.error({ round: name, err: error, repeats: noted.repeats }, 'round failed');
    Object.assign(noted, { failedMs: clock(), repeats: 0 });
    await stored(store.noteFailure(name, sentenceOf(error)));
  }

  return {
    async run(name, work, stopped) {
      const noted = known.get(name) ?? { succeededMs: -Infinity, failedMs: -Infinity, repeats: 0 };
      known.set(name, noted);
      try {
        if ((await work()) !== 'not due') await noteSuccess(name, noted);
        return true;
      } catch (error) {
        if (stopped?.aborted !== true) await noteFailure(name, noted, error);
        return false;
      }
    },
  };
}

/** What admins read; some errors of connections have no message but a code. */
function sentenceOf(thrown: unknown): string {
  const { type, message, code } = errorFields(thrown);
  return (message || `${type} ${code ?? ''}`).replace(/[\p{Cc}\s]+/gu, ' ').slice(0, longestMessage);
}
