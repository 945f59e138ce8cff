const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const month = 30.4375 * day;
const year = 12 * month;

/**
 * Units with their length and upper limit of use, in seconds. A limit is above the next unit's length, so small amounts
 * of that unit are not used.
 */
const units = [
  { unit: 'minute', length: minute, below: 1.5 * hour },
  { unit: 'hour', length: hour, below: 1.5 * day },
  { unit: 'day', length: day, below: 100 * day },
  { unit: 'month', length: month, below: 3 * year },
  { unit: 'year', length: year, below: Number.POSITIVE_INFINITY },
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * The distance between two moments in milliseconds, rounded to the nearest unit: `3 hours ago`, `90 days ago`, `21
 * months ago`. Below 30 seconds: `just now`, or `in a moment` if `moment` is after `from`.
 */
export function relativeTime(moment: number, from: number): string {
  const seconds = Math.round((moment - from) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 30) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(...amountOf(seconds));
}

/** The length of a time span in milliseconds, rounded as in `relativeTime`: `21 months`, `1 minute`. */
export function spanInWords(milliseconds: number): string {
  const [amount, unit] = amountOf(Math.round(Math.abs(milliseconds) / 1000));
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

function amountOf(seconds: number): readonly [amount: number, unit: (typeof units)[number]['unit']] {
  const found = units.find(({ below }) => Math.abs(seconds) < below) ?? units[4];
  const amount = Math.max(1, Math.round(Math.abs(seconds) / found.length));
  return [seconds < 0 ? -amount : amount, found.unit];
}

/** Date and time with the zone: `22 Nov 2026 10:14:05 UTC`. `zone`: an IANA name; default: the browser's zone. */
export function exactTime(moment: Date, zone?: string): string {
  return formatted(moment, { ...dateParts, ...timeParts, ...(zone !== undefined && { timeZone: zone }) });
}

/** The date: `22 Nov 2026`. `zone`: an IANA name; default: the browser's zone. */
export function dateInWords(moment: Date, zone?: string): string {
  return formatted(moment, { ...dateParts, ...(zone !== undefined && { timeZone: zone }) });
}

const dateParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const timeParts = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats in English for every reader, as all text of the dashboard is English. */
function formatted(moment: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(key, format);
  return format.format(moment).replace(',', '').replace('Sept', 'Sep');
}
