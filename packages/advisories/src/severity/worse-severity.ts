import { compareSeverity, type Severity } from '@plimsoll/model';

/** The worse of two severities. */
export function worseSeverity(a: Severity, b: Severity): Severity {
  return compareSeverity(a, b) <= 0 ? a : b;
}
