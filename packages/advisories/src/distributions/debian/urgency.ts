import type { Rating, Severity } from '@plimsoll/model';
import { rate } from '../../severity/rating.ts';

/** The security tracker's urgencies; for `not yet assigned` and unknown words CVSS decides. */
const urgencies: ReadonlyMap<string, Severity> = new Map([
  ['high', 'important'],
  ['medium', 'moderate'],
  ['low', 'low'],
  ['unimportant', 'none'],
]);

/** NVD's rating of the CVE, which the tracker shows where Debian has none: `high**`. */
const byNvd = /\*{1,2}$/;

/** Debian's severity in an urgency; null if it gives none. */
export function severityOfUrgency(urgency: string): Severity | null {
  return urgencies.get(urgency.trim().toLowerCase()) ?? null;
}

/** The rating in an urgency of the tracker's JSON. One that is NVD's counts as a CVSS score's. */
export function ratingOf(urgency: string): Rating {
  if (!byNvd.test(urgency)) return rate(severityOfUrgency(urgency), null);
  const severity = severityOfUrgency(urgency.replace(byNvd, ''));
  return severity === null ? rate(null, null) : { severity, severitySource: 'cvss' };
}
