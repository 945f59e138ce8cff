import type { WireTimestamp } from '../snapshot/timestamp.ts';
import { parseSeconds } from './seconds.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 5322 as Release files write it: the day of the week may be missing, the zone is UTC by one of its names. */
const dateForm =
  /^(?:[A-Z][a-z]{2}, )? ?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (?:UTC|GMT|Z|[+-]0000)$/;

/**
 * Reads the date of a repository: `Date` or `Valid-Until` of a Release file, `Sat, 21 Nov 2026 20:21:22 UTC`, or seconds
 * since 1970, as repomd.xml has them. Null for anything else; a date that no calendar has is none.
 */
export function parseReleaseDate(text: string): WireTimestamp | null {
  const seconds = parseSeconds(text);
  if (seconds !== null) return seconds;
  const [, day, monthName = '', year, hour, minute, second] = dateForm.exec(text.trim()) ?? [];
  const month = months.indexOf(monthName);
  if (month < 0) return null;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  // Date.UTC carries what is too large: the 31st of February would be a day in March.
  const isReal = new Date(time).getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60;
  return isReal ? { seconds: BigInt(Math.floor(time / 1000)), nanos: 0 } : null;
}
