/** The retention time, and what is needed to move it. */
export interface ClockState {
  readonly at: Date;
  /** The database's time when `at` was moved last. */
  readonly notedAt: Date;
  /** When the database's time was first seen more than a day away from `at`; null: it is not. */
  readonly jumpedAt: Date | null;
}

/** How many hosts have a clock near the database's, and how many do not. */
export interface HostsSay {
  readonly agree: number;
  readonly differ: number;
}

/** A longer pause, or a step of this size, is a jump: the service was off, or the clock is wrong. */
const longestStepMs = 24 * 3_600_000;
/** How many times as fast as the clock the retention time catches up once most hosts confirm the time: a day in ten minutes. */
const catchUpSpeed = 144;
const longestCatchUpMs = 10 * 60_000;

/**
 * Moves the retention time. Within a day of the database's it is the database's. Otherwise it goes on from where it was, as
 * fast as the clock. If most hosts that reported since confirm the database's time, it catches up by a day in ten minutes; if
 * none reported, by a day each day; if they differ, not at all.
 */
export function followClock({ at, notedAt, jumpedAt }: ClockState, now: Date, said: HostsSay): ClockState {
  if (Math.abs(now.getTime() - at.getTime()) <= longestStepMs)
    return { at: now, notedAt: now, jumpedAt: null };
  const passedMs = now.getTime() - notedAt.getTime();
  // How much time passed is not known. Only reports from now on count.
  if (jumpedAt === null || Math.abs(passedMs) > longestStepMs) return { at, notedAt: now, jumpedAt: now };
  const isConfirmed = said.agree > said.differ;
  if (isConfirmed && at > now) return { at: now, notedAt: now, jumpedAt: null };
  const stepMs = Math.max(0, passedMs);
  const speed = isConfirmed ? catchUpSpeed : said.agree + said.differ === 0 ? 1 : 0;
  const movedMs = at.getTime() + stepMs + speed * Math.min(stepMs, longestCatchUpMs);
  return { at: new Date(at > now ? movedMs : Math.min(now.getTime(), movedMs)), notedAt: now, jumpedAt };
}
