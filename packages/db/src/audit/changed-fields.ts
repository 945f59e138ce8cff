import type { AuditDetails, AuditValue } from '@plimsoll/model';

/** What a change changed: both sides of every field that is not as it was. Null where nothing is. */
export function changedFields(
  before: Readonly<Record<string, AuditValue>>,
  after: Readonly<Record<string, AuditValue | undefined>>,
): AuditDetails | null {
  const changes = Object.entries(after).flatMap(([field, to]) => {
    const from = before[field] ?? null;
    return to === undefined || JSON.stringify(from) === JSON.stringify(to)
      ? []
      : [[field, { from, to }] as const];
  });
  return changes.length === 0 ? null : Object.fromEntries(changes);
}
