import type { Bulletin } from '@plimsoll/contract';

/** The days of a week, from Monday on. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** When a report is sent. */
export function bulletinTimes({ every, weekday, day, at, time_zone: zone }: Bulletin): string {
  const days =
    every === 'day'
      ? 'Every day'
      : every === 'week'
        ? `Every ${weekdays[weekday - 1]}`
        : `On day ${day} of a month`;
  return `${days} at ${at} (${zone})`;
}
