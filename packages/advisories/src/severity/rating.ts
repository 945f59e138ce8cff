import {
  type CvssScore,
  compareSeverity,
  type Rating,
  type Severity,
  severitySources,
} from '@plimsoll/model';

/** The rating of a record: the vendor's severity, else that of the CVSS score, else unrated. */
export function rate(vendor: Severity | null, cvss: CvssScore | null): Rating {
  if (vendor !== null) return { severity: vendor, severitySource: 'vendor' };
  if (cvss === null) return { severity: 'unrated', severitySource: 'none' };
  return { severity: severityOfScore(cvss.score), severitySource: 'cvss' };
}

/** The worse of two severities. */
export function worseSeverity(a: Severity, b: Severity): Severity {
  return compareSeverity(a, b) <= 0 ? a : b;
}

/** The rating with the worse severity; of two with equal severities, the one from the vendor. */
export function worseRating(a: Rating, b: Rating): Rating {
  const order =
    compareSeverity(a.severity, b.severity) ||
    severitySources.indexOf(a.severitySource) - severitySources.indexOf(b.severitySource);
  const { severity, severitySource } = order <= 0 ? a : b;
  return { severity, severitySource };
}

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
