import type { BulletinSchedule } from '@plimsoll/db';
import { DateTime } from 'luxon';
import { atTime, knownZone } from './local-times.ts';

/** The first time of a schedule after a time. Months without the day have their last day. */
export function nextBulletin({ every, weekday, day, at, timeZone }: BulletinSchedule, after: Date): Date {
  const from = DateTime.fromJSDate(after, { zone: knownZone(timeZone) });
  const dayOf = (n: number): DateTime => {
    if (every === 'day') return from.startOf('day').plus({ days: n });
    if (every === 'week') return from.startOf('week').plus({ weeks: n, days: weekday - 1 });
    const month = from.startOf('month').plus({ months: n });
    return month.set({ day: Math.min(day, month.daysInMonth ?? 28) });
  };
  const first = atTime(dayOf(0), at);
  return (first > from ? first : atTime(dayOf(1), at)).toJSDate();
}
