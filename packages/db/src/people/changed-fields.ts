import type { AuditDetails, AuditValue } from '@plimsoll/model';

/** The old and new values of every changed field. Null if nothing changed. */
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
