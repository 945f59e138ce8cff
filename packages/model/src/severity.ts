/** Severities from worst to least; `none` is the vendor's own "negligible", counted nowhere. */
export const severities = ['critical', 'important', 'moderate', 'low', 'unrated', 'none'] as const;

/** How bad an advisory is, in the vendor's judgement mapped to our words. */
export type Severity = (typeof severities)[number];

/** Orders severities, worst first. */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}
