import { AppError, type HostExposure, type HostScope, isInScope } from '@plimsoll/model';
import { beforeTagsChange, recountTerms } from '../../core/change-terms.ts';
import { lockRow } from '../../core/locks.ts';
import { statementsIn, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { changedFields } from '../../people/changed-fields.ts';
import { requireInScope } from './host-scope.ts';
import type { LockedHost } from './locked-hosts.ts';

/** The fields of a host that can be changed. */
export interface HostUpdate {
  readonly displayName?: string;
  /** All tags that the host shall have; those that only rules give it must be among them. */
  readonly tags?: readonly string[];
  /** Null: not set by hand. */
  readonly exposure?: HostExposure | null;
}

/**
 * Changes a host. False if it does not exist or is not in the scope. Throws `validation_failed` for changes that would take
 * it out of the scope, and for tags without one that a rule gives.
 */
export async function updateHost(
  tx: Transaction,
  scope: HostScope,
  id: string,
  changes: HostUpdate,
  by: AuditActor,
): Promise<boolean> {
  // Rules give tags by name.
  const changesTerms = Object.values(changes).some((value) => value !== undefined);
  const isRecounted = changesTerms && (await beforeTagsChange(statementsIn(tx)));
  await lockRow(tx, 'hosts', id, 'noKeyUpdate');
  const before = await tx.host.findUnique({
    where: { id },
    select: { displayName: true, tags: true, setTags: true, setExposure: true },
  });
  if (before === null || !isInScope(scope, before.tags)) return false;
  const { displayName, tags, exposure } = changes;
  if (tags !== undefined) requireRuled(before, tags);
  const details = changedFields(
    { display_name: before.displayName, tags: before.tags, exposure: before.setExposure },
    { display_name: displayName, tags, exposure },
  );
  if (details === null) return true;
  await tx.host.updateMany({
    where: { id },
    data: {
      ...(displayName === undefined ? {} : { displayName }),
      ...(tags === undefined ? {} : { setTags: tagsByHand(before, tags) }),
      ...(exposure === undefined ? {} : { setExposure: exposure }),
    },
  });
  const after = await tx.host.findUnique({ where: { id }, select: { tags: true } });
  requireInScope(scope, after?.tags ?? []);
  if (isRecounted && ('tags' in details || 'exposure' in details))
    await recountTerms(statementsIn(tx), 'SELECT $1::uuid', [id]);
  const target = { kind: 'host', id, name: before.displayName } as const;
  await recordAuditEvent(tx, { action: 'host.updated', actor: by, target, details });
  return true;
}

/** The tags of a host by where they come from. */
type TagsOfHost = Pick<LockedHost, 'tags' | 'setTags'>;

/** The tags of a host that only rules give it. */
export function tagsByRule({ tags, setTags }: TagsOfHost): readonly string[] {
  return tags.filter((tag) => !setTags.includes(tag));
}

/** Of all tags that a host shall have those that are set by hand. */
function tagsByHand(host: TagsOfHost, tags: readonly string[]): string[] {
  const ruled = tagsByRule(host);
  return tags.filter((tag) => !ruled.includes(tag));
}

function requireRuled(host: TagsOfHost, tags: readonly string[]): void {
  const missing = tagsByRule(host).filter((tag) => !tags.includes(tag));
  if (missing.length === 0) return;
  throw new AppError('validation_failed', 'A rule gives this tag. Change the rule.', {
    errors: [{ pointer: '/tags', detail: `must contain what rules give: ${missing.join(', ')}` }],
  });
}
