import { type HostExposure, type HostScope, isInScope } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { lockRow } from '../connection/locks.ts';
import { statementsIn, type Transaction } from '../connection/transaction.ts';
import { beforeTagsChange, recountTerms } from '../terms/change-terms.ts';
import { requireInScope } from './host-scope.ts';

/** The fields of a host that can be changed. */
export interface HostUpdate {
  readonly displayName?: string;
  readonly tags?: readonly string[];
  /** Null: not set by hand. */
  readonly exposure?: HostExposure | null;
}

/**
 * Changes a host. False if it does not exist or is not in the scope. Throws `validation_failed` for tags that would take
 * it out of the scope.
 */
export async function updateHost(
  tx: Transaction,
  scope: HostScope,
  id: string,
  changes: HostUpdate,
  by: AuditActor,
): Promise<boolean> {
  const changesTerms = changes.tags !== undefined || changes.exposure !== undefined;
  const isRecounted = changesTerms && (await beforeTagsChange(statementsIn(tx)));
  await lockRow(tx, 'hosts', id, 'noKeyUpdate');
  const before = await tx.host.findUnique({
    where: { id },
    select: { displayName: true, tags: true, setExposure: true },
  });
  if (before === null || !isInScope(scope, before.tags)) return false;
  const { displayName, tags, exposure } = changes;
  if (tags !== undefined) requireInScope(scope, tags);
  const details = changedFields(
    { display_name: before.displayName, tags: before.tags, exposure: before.setExposure },
    { display_name: displayName, tags, exposure },
  );
  if (details === null) return true;
  await tx.host.updateMany({
    where: { id },
    data: {
      ...(displayName === undefined ? {} : { displayName }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...(exposure === undefined ? {} : { setExposure: exposure }),
    },
  });
  if (isRecounted && ('tags' in details || 'exposure' in details))
    await recountTerms(statementsIn(tx), 'SELECT $1::uuid', [id]);
  const target = { kind: 'host', id, name: before.displayName } as const;
  await recordAuditEvent(tx, { action: 'host.updated', actor: by, target, details });
  return true;
}
