const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d{1,9})?\s*(?:Z|UTC|\+00:?00)?)?$/;
const seconds = /^\d{1,11}$/;

/**
 * Parses `issued` or `updated` of an update, UTC: a date, a date with hours and minutes, or seconds since 1970. Null
 * for other text.
 */
export function parseUpdateTime(text: string): Date | null {
  const trimmed = text.trim();
  if (seconds.test(trimmed)) return new Date(Number(trimmed) * 1000);
  const [, day, minutes = '00:00', rest = ':00'] = form.exec(trimmed) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T${minutes}${rest}Z`);
  return Number.isNaN(time) ? null : new Date(time);
}
