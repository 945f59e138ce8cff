/** The start of a day (`YYYY-MM-DD`) in the browser's zone as ISO 8601, plus `later` days; undefined for other text. */
export function dayStart(day: string | undefined, later = 0): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (parts === null) return undefined;
  const moment = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
