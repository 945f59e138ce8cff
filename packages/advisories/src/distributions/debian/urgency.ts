import type { Rating, Severity } from '@plimsoll/model';
import { rate } from '../../severity/rating.ts';

/** The security tracker's urgencies; for `not yet assigned` and unknown words CVSS decides. */
const urgencies: ReadonlyMap<string, Severity> = new Map([
  ['high', 'important'],
  ['medium', 'moderate'],
  ['low', 'low'],
  ['unimportant', 'none'],
]);

/** NVD's rating of the CVE, which the tracker shows if Debian has none: `high**`. */
const byNvd = /\*{1,2}$/;

/** Debian's severity in an urgency; null without one. */
export function severityOfUrgency(urgency: string): Severity | null {
  return urgencies.get(urgency.trim().toLowerCase()) ?? null;
}

/** The rating in an urgency of the tracker's JSON. NVD's rating counts as a CVSS score. */
export function ratingOf(urgency: string): Rating {
  if (!byNvd.test(urgency)) return rate(severityOfUrgency(urgency), null);
  const severity = severityOfUrgency(urgency.replace(byNvd, ''));
  return severity === null ? rate(null, null) : { severity, severitySource: 'cvss' };
}
