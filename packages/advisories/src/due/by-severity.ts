import type { Severity } from '@plimsoll/model';
import type { DueRule } from './due-rule.ts';

/** An advisory without a rating counts as a moderate one. */
const days: Readonly<Record<Exclude<Severity, 'none'>, number>> = {
  critical: 7,
  important: 30,
  moderate: 90,
  low: 180,
  unrated: 90,
};

/** Days since the fix was published, by severity. */
export const bySeverity: readonly DueRule[] = Object.entries(days).map(([severity, within]) => ({
  severity: severity as keyof typeof days, // The object's own keys.
  within,
  clock: 'published',
  forensics: false,
}));
