import { type DateTime, IANAZone } from 'luxon';

/** The zone, or UTC if this system does not know it any more. */
export function knownZone(zone: string): string {
  return IANAZone.isValidZone(zone) ? zone : 'utc';
}

/** A time (`HH:MM`) on a day. */
export function atTime(day: DateTime, time: string): DateTime {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return day.set({ hour, minute, second: 0, millisecond: 0 });
}
