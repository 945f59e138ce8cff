import type { DueRule } from '../due-rule.ts';

/**
 * Remediation timelines of CISA's Binding Operational Directive 26-04, version 1.0.0 of the decision table
 * (CERTCC/SSVC, commit e3b00a2). Its 16 rows as the fewest rules; a test compares all rows. The directive's time starts
 * with the entry in KEV, or for other CVEs with the publication of the fix.
 */
export const bod2604: readonly DueRule[] = [
  { ...exploited(3, true), automatable: true, impact: 'total' },
  { ...exploited(3, true), exposure: 'public', impact: 'total' },
  { ...exploited(3, false), exposure: 'public', automatable: true },
  exploited(14, false),
  { ...other(3), exposure: 'public', automatable: true, impact: 'total' },
  { ...other(14), exposure: 'public', automatable: true },
  { ...other(14), exposure: 'public', impact: 'total' },
  { ...other(60), exposure: 'public' },
  { ...other(60), automatable: true },
  other('next_upgrade'),
];

function exploited(within: number, forensics: boolean): DueRule {
  return { knownExploited: true, within, clock: 'kev', forensics };
}

function other(within: DueRule['within']): DueRule {
  return { knownExploited: false, within, clock: 'published', forensics: false };
}
