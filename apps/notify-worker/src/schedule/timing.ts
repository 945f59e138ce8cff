import type { Digest, QuietHours, RouteSchedule, Timing } from '@plimsoll/db';
import { DateTime } from 'luxon';
import { atTime, knownZone } from './local-times.ts';

/**
 * When a route tells an event: after its delay; with a digest, at the next time of the digest after that; in quiet hours,
 * with all other events at their end. Local times that a change of clocks skips are as much later.
 */
export function timingOf({ delayMinutes, digest, quietHours }: RouteSchedule, now: Date): Timing {
  const after = new Date(now.getTime() + delayMinutes * 60_000);
  if (digest !== null) return { kind: 'digest', at: nextDigest(digest, after) };
  const end = quietHours === null ? null : endOfQuiet(quietHours, after);
  return end === null ? { kind: 'alone', at: after } : { kind: 'summary', at: end };
}

/** The first time of a digest after a time. Weekly ones are sent on Mondays. */
function nextDigest({ every, at, time_zone: zone }: Digest, after: Date): Date {
  const from = DateTime.fromJSDate(after, { zone: knownZone(zone) });
  const day = every === 'week' ? from.startOf('week') : from.startOf('day');
  const first = atTime(day, at);
  return (
    first > from ? first : atTime(day.plus(every === 'week' ? { weeks: 1 } : { days: 1 }), at)
  ).toJSDate();
}

/** When the quiet hours end that a time is in; null if it is in none. */
function endOfQuiet({ from, to, time_zone: zone }: QuietHours, at: Date): Date | null {
  const local = DateTime.fromJSDate(at, { zone: knownZone(zone) });
  // They may have begun yesterday.
  for (const day of [local.startOf('day').minus({ days: 1 }), local.startOf('day')]) {
    const begin = atTime(day, from);
    const sameDay = atTime(day, to);
    const end = sameDay > begin ? sameDay : atTime(day.plus({ days: 1 }), to);
    if (begin <= local && local < end) return end.toJSDate();
  }
  return null;
}
