import type { Statement } from '@plimsoll/model';

/** Whether a statement counts towards a finding's severity and state; one that the vendor calls negligible is hidden. */
export function isVisible(statement: Statement): boolean {
  return statement.severity !== 'none';
}
