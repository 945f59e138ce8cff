/**
 * The report as if it had been collected a minute before `now`: every time in it that is a whole field (seconds since 1970 or
 * an HTTP date) moves with `collected_at`, so that ages and the order of times stay as they are.
 */
export function collectedBefore(report: string, now: Date): string {
  const collectedAt = /^ collected_at\t(\d+)$/m.exec(report)?.[1];
  if (collectedAt === undefined) return report;
  const seconds = Math.floor(now.getTime() / 1000) - 60 - Number(collectedAt);
  const httpDate =
    /(?<=\t)[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:UTC|GMT)(?=\t|\n|$)/g;
  return report
    .replaceAll(/(?<=\t)1\d{9}(?=\t|\n|$)/g, (time) => String(Number(time) + seconds))
    .replaceAll(httpDate, (date) =>
      new Date(Date.parse(date) + seconds * 1000).toUTCString().replace('GMT', date.slice(-3)),
    );
}
