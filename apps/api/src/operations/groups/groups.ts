import { type GroupMaker, newId } from '@plimsoll/db';
import { AppError, type HostGroupId } from '@plimsoll/model';
import { hasRole } from '../../auth/authenticate.ts';
import { accountOf, auditActorOf, personOf, type UserCaller } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';

/** POST /groups */
export const createGroup: Handler<'createGroup'> = async (request, { stores }) => {
  const { body, caller } = request;
  if (body.shared) requireSharing(caller);
  else requirePerson(caller);
  const group = { id: newId<HostGroupId>(), ...body };
  await stores.groups.create(group, makerOf(caller), auditActorOf(request));
  return { kind: 'json', status: 201, body: { id: group.id } };
};

/** PATCH /groups/{id} */
export const updateGroup: Handler<'updateGroup'> = async (request, { stores }) => {
  const { params, body, caller } = request;
  await requireOwn(stores, params.id, caller);
  if (body.shared === true) requireSharing(caller);
  if (body.shared === false) requirePerson(caller);
  const group = await stores.groups.update(params.id, given(body), makerOf(caller), auditActorOf(request));
  if (group === null) throw groupNotFound();
  return { kind: 'json', status: 200, body: { id: group.id } };
};

/** DELETE /groups/{id} */
export const deleteGroup: Handler<'deleteGroup'> = async (request, { stores }) => {
  const { params, caller } = request;
  await requireOwn(stores, params.id, caller);
  if (!(await stores.groups.delete(params.id, makerOf(caller), auditActorOf(request)))) throw groupNotFound();
  return { kind: 'empty', status: 204 };
};

/**
 * Throws `not_found` for a group that the caller does not see, and `forbidden` for a shared one of somebody else. API keys
 * change the shared groups of their owner, and only as operators.
 */
async function requireOwn(stores: ApiStores, id: string, caller: UserCaller): Promise<void> {
  const group = await stores.groups.find(id, makerOf(caller));
  if (group === null) throw groupNotFound();
  if (caller.apiKey !== null) requireSharing(caller);
  if (group.owner?.id === accountOf(caller) || caller.role === 'admin') return;
  throw new AppError('forbidden', 'Only the owner of a shared group or an administrator can change it.');
}

/** Throws `forbidden` for an API key: what is not shared belongs to a person. */
function requirePerson({ apiKey }: UserCaller): void {
  if (apiKey === null) return;
  throw new AppError(
    'forbidden',
    'A group that is not shared belongs to a person: an API key makes only shared ones.',
  );
}

function makerOf(caller: UserCaller): GroupMaker {
  return { person: personOf(caller), scope: caller.scope, account: accountOf(caller) };
}

function requireSharing({ role }: UserCaller): void {
  if (hasRole(role, 'operator')) return;
  throw new AppError(
    'forbidden',
    'Only operators and administrators can share a group, or change a shared one by an API key.',
  );
}

function groupNotFound(): AppError {
  return new AppError('not_found', 'No group has this id.');
}
