import type { Operation } from '@plimsoll/contract';
import type { HostStore } from '@plimsoll/db';
import type { Caller } from '../auth/authenticate.ts';
import { hostNotFound } from '../operations/hosts/find-host.ts';

const hostPath = '/api/v1/hosts/{id}';

/**
 * Throws `not_found`, as for an unknown id, if the path names a host that does not exist for the caller. One place for
 * every operation on one host, so that none can forget it.
 */
export async function requireHostInScope(
  { path }: Operation,
  { caller, params }: { readonly caller: Caller; readonly params: unknown },
  hosts: HostStore,
): Promise<void> {
  if (caller === null || !('scope' in caller) || caller.scope.kind === 'whole_fleet') return;
  if (path !== hostPath && !path.startsWith(`${hostPath}/`)) return;
  const { id } = params as { readonly id: string }; // The parameter in the path.
  if (!(await hosts.has(caller.scope, id))) throw hostNotFound();
}
