import type { StatementFix } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';

/** Whether a build has the fix of a statement: its version is at or above the fixed, or the pending, version. */
export function hasFix(buildKey: Uint8Array, fix: StatementFix): boolean {
  const key = fix.kind === 'fixed' ? fix.key : fix.pendingKey;
  return key !== undefined && compareKeys(buildKey, key) >= 0;
}
