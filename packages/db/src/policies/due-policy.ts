import { type DuePolicy, noDuePolicy, presetPolicy } from '@plimsoll/advisories';
import type { Statements } from '../connection/transaction.ts';

/** The policy of due dates in force, with its last change. */
export interface StoredDuePolicy {
  readonly policy: DuePolicy;
  /** Null: no policy was ever set. */
  readonly changed: { readonly at: Date; readonly by: string } | null;
}

/** Reads the policy of due dates in force. The rules of a preset are those of this version of the service. */
export async function readDuePolicy(client: Statements): Promise<StoredDuePolicy> {
  const { rows } = await client.query<{ document: DuePolicy; at: Date; by: string }>(
    `SELECT document, changed_at AS at, changed_by AS by FROM policies WHERE name = 'due_dates'`,
  );
  const [row] = rows;
  if (row === undefined) return { policy: noDuePolicy, changed: null };
  const { document, at, by } = row; // Only setDuePolicy writes the document.
  const policy = document.preset === null ? document : presetPolicy(document.preset);
  return { policy, changed: { at, by } };
}
