import type { Statement } from '@plimsoll/model';

/**
 * Whether a statement counts for a finding's severity and state; a statement that the vendor rates negligible is
 * hidden.
 */
export function isVisible(statement: Statement): boolean {
  return statement.severity !== 'none';
}
