import type { Operations } from '@plimsoll/contract';
import { newId } from '@plimsoll/db';
import { AppError, type HostGroupId } from '@plimsoll/model';
import { hasRole } from '../../auth/authenticate.ts';
import { auditActorOf, type UserCaller } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import type { Handler } from '../operation-request.ts';

/** POST /groups */
export const createGroup: Handler<Operations['createGroup']> = async (request, { stores }) => {
  const { body, caller } = request;
  if (body.shared) requireSharing(caller);
  const group = { id: newId<HostGroupId>(), ...body };
  const { id } = await stores.groups.create(group, caller.user.id, auditActorOf(request));
  return { kind: 'json', status: 201, body: { id } };
};

/** PATCH /groups/{id} */
export const updateGroup: Handler<Operations['updateGroup']> = async (request, { stores }) => {
  const { params, body, caller } = request;
  await requireOwn(stores, params.id, caller);
  if (body.shared === true) requireSharing(caller);
  const { name, filter, shared } = body;
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(filter === undefined ? {} : { filter }),
    ...(shared === undefined ? {} : { shared }),
  };
  const group = await stores.groups.update(params.id, changes, caller.user.id, auditActorOf(request));
  if (group === null) throw groupNotFound();
  return { kind: 'json', status: 200, body: { id: group.id } };
};

/** DELETE /groups/{id} */
export const deleteGroup: Handler<Operations['deleteGroup']> = async (request, { stores }) => {
  const { params, caller } = request;
  await requireOwn(stores, params.id, caller);
  if (!(await stores.groups.delete(params.id, caller.user.id, auditActorOf(request)))) throw groupNotFound();
  return { kind: 'empty', status: 204 };
};

/** Throws `not_found` for a group that the caller does not see, and `forbidden` for a shared one of somebody else. */
async function requireOwn(stores: ApiStores, id: string, { user, role }: UserCaller): Promise<void> {
  const group = await stores.groups.find(id, user.id);
  if (group === null) throw groupNotFound();
  if (group.owner?.id === user.id || role === 'admin') return;
  throw new AppError('forbidden', 'Only the owner of a shared group or an administrator can change it.');
}

function requireSharing({ role }: UserCaller): void {
  if (hasRole(role, 'operator')) return;
  throw new AppError('forbidden', 'Only operators and administrators can share a group.');
}

function groupNotFound(): AppError {
  return new AppError('not_found', 'No group has this id.');
}
