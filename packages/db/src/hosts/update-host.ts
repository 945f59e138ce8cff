import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { lockRow } from '../connection/locks.ts';
import type { Transaction } from '../connection/transaction.ts';

/** The fields of a host that can be changed. */
export interface HostUpdate {
  readonly displayName?: string;
  readonly tags?: readonly string[];
}

/** Changes a host. False if it does not exist. */
export async function updateHost(
  tx: Transaction,
  id: string,
  changes: HostUpdate,
  by: AuditActor,
): Promise<boolean> {
  await lockRow(tx, 'hosts', id, 'noKeyUpdate');
  const before = await tx.host.findUnique({ where: { id }, select: { displayName: true, tags: true } });
  if (before === null) return false;
  const { displayName, tags } = changes;
  const details = changedFields(
    { display_name: before.displayName, tags: before.tags },
    { display_name: displayName, tags },
  );
  if (details === null) return true;
  await tx.host.updateMany({
    where: { id },
    data: {
      ...(displayName === undefined ? {} : { displayName }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
    },
  });
  const target = { kind: 'host', id, name: before.displayName } as const;
  await recordAuditEvent(tx, { action: 'host.updated', actor: by, target, details });
  return true;
}
