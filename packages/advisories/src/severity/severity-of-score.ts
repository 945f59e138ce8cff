import type { Severity } from '@plimsoll/model';

/**
 * Severity of a CVSS base score, for advisories without a vendor severity (qualitative severity rating scale of CVSS
 * 3.1).
 */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'important';
  if (score >= 4) return 'moderate';
  return score > 0 ? 'low' : 'none';
}
