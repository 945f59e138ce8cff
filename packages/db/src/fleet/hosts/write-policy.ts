import type { Statements } from '../../core/transaction.ts';
import type { AuditActor } from '../../people/audit-events.ts';

/** Stores what an admin decided for the whole installation. */
export async function writePolicy(
  statements: Statements,
  name: 'due_dates' | 'exposure' | 'origins' | 'tags',
  document: object,
  { name: user }: AuditActor,
): Promise<void> {
  await statements.query(
    `INSERT INTO policies (name, document, changed_by) VALUES ($1, $2::jsonb, $3)
     ON CONFLICT (name) DO UPDATE SET document = excluded.document, changed_by = excluded.changed_by, changed_at = now()`,
    [name, JSON.stringify(document), user],
  );
}
