import type { CvssScore } from '@plimsoll/model';
import type { JsonFieldReader, LocatedObject } from '../json-fields.ts';
import type { RecordIssues } from '../record-issues.ts';
import { scoreVector } from '../severity/cvss-score.ts';

const maxSeverities = 20;

/** OSV's names of CVSS versions, the newest first. */
const cvssTypes = ['CVSS_V4', 'CVSS_V3', 'CVSS_V2'];

/**
 * The CVSS score in the `severity` list of a record or an affected entry. The newest CVSS version wins, then the
 * highest score. Null if there is none; an invalid vector is an issue.
 */
export function readCvss(
  { entry, pointer }: LocatedObject,
  fields: JsonFieldReader,
  issues: RecordIssues,
): CvssScore | null {
  let best: { readonly rank: number; readonly cvss: CvssScore } | null = null;
  for (const severity of fields.objects(entry, 'severity', maxSeverities, pointer)) {
    const rank = cvssTypes.indexOf(fields.text(severity.entry, 'type', 100, severity.pointer) ?? '');
    if (rank < 0) continue;
    const cvss = scoreVector(fields.text(severity.entry, 'score', 300, severity.pointer) ?? '');
    if (cvss === null) issues.add(`${severity.pointer}/score`, 'invalid_cvss');
    else if (best === null || rank < best.rank || (rank === best.rank && cvss.score > best.cvss.score)) {
      best = { rank, cvss };
    }
  }
  return best?.cvss ?? null;
}
