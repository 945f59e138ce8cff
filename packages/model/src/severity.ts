/** Severities from worst to least; `none` is the vendor's "negligible" and is never counted. */
export const severities = ['critical', 'important', 'moderate', 'low', 'unrated', 'none'] as const;

/** Severity of an advisory: the vendor's rating mapped to our words. */
export type Severity = (typeof severities)[number];

/**
 * Source of a severity, the best first: the vendor's rating of the record itself; for an erratum, derived from the
 * vendor's ratings of its CVEs; a CVSS base score if the vendor rates neither; or none of these (severity `unrated`).
 */
export const severitySources = ['vendor', 'cves', 'cvss', 'none'] as const;

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
