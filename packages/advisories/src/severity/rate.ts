import type { CvssScore, Rating, Severity } from '@plimsoll/model';
import { severityOfScore } from './severity-of-score.ts';

/** The rating of a record: the vendor's severity, else that of the CVSS score, else unrated. */
export function rate(vendor: Severity | null, cvss: CvssScore | null): Rating {
  if (vendor !== null) return { severity: vendor, severitySource: 'vendor' };
  if (cvss === null) return { severity: 'unrated', severitySource: 'none' };
  return { severity: severityOfScore(cvss.score), severitySource: 'cvss' };
}
