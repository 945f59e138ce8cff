import { DateTime } from 'luxon';

/** A time as people read it, in UTC. @param time ISO 8601 */
export function timeWords(time: string): string {
  return `${DateTime.fromISO(time, { zone: 'utc', locale: 'en' }).toFormat('d LLL yyyy HH:mm')} UTC`;
}
