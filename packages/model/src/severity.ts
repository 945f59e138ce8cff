/** Severities from worst to least; `none` is the vendor's own "negligible", counted nowhere. */
export const severities = ['critical', 'important', 'moderate', 'low', 'unrated', 'none'] as const;

/** How bad an advisory is, in the vendor's judgement mapped to our words. */
export type Severity = (typeof severities)[number];

/**
 * Where a severity comes from: the vendor's own word, a CVSS base score because the vendor gives no word, or neither
 * (severity `unrated`).
 */
export const severitySources = ['vendor', 'cvss', 'none'] as const;

/** One of `severitySources`. */
export type SeveritySource = (typeof severitySources)[number];

/** A severity with its source. */
export interface Rating {
  readonly severity: Severity;
  readonly severitySource: SeveritySource;
}

/** Orders severities, worst first. */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}
