import { compareSeverity, type Rating, type Severity, severitySources } from '@plimsoll/model';

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
