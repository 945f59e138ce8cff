import type { WireTimestamp } from '../snapshot/field-reader.ts';
import { parseSeconds } from './seconds.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 5322 as in Release files: the weekday is optional, the zone is a name of UTC. */
const dateForm =
  /^(?:[A-Z][a-z]{2}, )? ?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (?:UTC|GMT|Z|[+-]0000)$/;

/**
 * Parses a repository's date: `Date` or `Valid-Until` of a Release file, `Sat, 21 Nov 2026 20:21:22 UTC`, or seconds
 * since 1970 as in repomd.xml. Null for other text and for days that do not exist.
 */
export function parseReleaseDate(text: string): WireTimestamp | null {
  const seconds = parseSeconds(text);
  if (seconds !== null) return seconds;
  const [, day, monthName = '', year, hour, minute, second] = dateForm.exec(text.trim()) ?? [];
  const month = months.indexOf(monthName);
  if (month < 0) return null;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  // Date.UTC carries overflow: the 31st of February would become a day in March.
  const isReal = new Date(time).getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60;
  return isReal ? { seconds: BigInt(Math.floor(time / 1000)), nanos: 0 } : null;
}
