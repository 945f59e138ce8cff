import type { HostScope } from '@plimsoll/model';
import type { Database } from '../../core/database.ts';
import { inTransaction } from '../../core/transaction.ts';
import type { AuditActor } from '../../people/audit-events.ts';
import { actOnHosts, type HostAction, type HostActionResult } from './host-actions.ts';

/** Does things to many hosts at once. */
export interface HostLifeStore {
  /** Does an action to hosts, in one transaction; see actOnHosts. */
  act(
    scope: HostScope,
    ids: readonly string[],
    action: HostAction,
    by: AuditActor,
  ): Promise<readonly HostActionResult[]>;
}

/** The hosts of one database. */
export function createHostLifeStore({ prisma }: Database): HostLifeStore {
  return {
    act: (scope, ids, action, by) =>
      inTransaction(prisma, (tx) => actOnHosts(tx, scope, { ids, action, by })),
  };
}
