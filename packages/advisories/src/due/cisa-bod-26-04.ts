import type { DueRule } from './due-rule.ts';

/**
 * Remediation timelines of CISA's Binding Operational Directive 26-04, version 1.0.0 of the decision table
 * (CERTCC/SSVC, commit e3b00a2). Its 16 rows as the fewest rules; a test compares all rows. The time starts as in the
 * directive's Appendix A, and what the directive leaves open is answered with the earlier date: docs/due-dates.md.
 */
export const bod2604: readonly DueRule[] = [
  { ...exploited(3, true), automatable: true, impact: 'total' },
  { ...exploited(3, true), exposure: 'public', impact: 'total' },
  { ...exploited(3), exposure: 'public', automatable: true },
  exploited(14),
  { ...within(3), exposure: 'public', automatable: true, impact: 'total' },
  { ...within(14), exposure: 'public', automatable: true },
  { ...within(14), exposure: 'public', impact: 'total' },
  { ...within(60), exposure: 'public' },
  { ...within(60), automatable: true },
  { ...within(60), decided: false },
  within('next_upgrade'),
];

function exploited(days: number, forensics = false): DueRule {
  return { exploitation: 'active', within: days, clock: 'detected', forensics };
}

function within(time: DueRule['within']): DueRule {
  return { within: time, clock: 'detected', forensics: false };
}
