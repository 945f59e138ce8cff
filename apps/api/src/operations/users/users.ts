import type { Operations, UserAccount } from '@plimsoll/contract';
import { newId, type User, type UserChanges } from '@plimsoll/db';
import { AppError, type UserId } from '@plimsoll/model';
import { z } from 'zod';
import type { Passwords } from '../../auth/passwords.ts';
import { requireGoodPassword } from '../../auth/require-good-password.ts';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';

const defaultLimit = 100;
const cursorSchema = z.string().max(254);

/** GET /users */
export const listUsers: Handler<Operations['listUsers']> = async ({ query, origin }, { stores }) => {
  const limit = query.limit ?? defaultLimit;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, cursorSchema);
  const [found, total] = await Promise.all([
    stores.users.list({ limit: limit + 1, after }),
    stores.users.count(),
  ]);
  const { rows, headers } = pageOf(found, {
    limit,
    total,
    cursorOf: ({ email }) => encodeCursor(email),
    place: { origin, path: '/api/v1/users', query },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(accountAnswer) };
};

/** POST /users */
export const createUser: Handler<Operations['createUser']> = async (request, { stores, passwords }) => {
  const { email, name = '', role, password } = request.body;
  requireGoodPassword(password, { email, name });
  const passwordHash = await passwords.hash(password);
  const user = { id: newId<UserId>(), email, name, role, passwordHash };
  const created = await stores.users.create(user, auditActorOf(request));
  return { kind: 'json', status: 201, body: accountAnswer(created) };
};

/** PATCH /users/{id} */
export const updateUser: Handler<Operations['updateUser']> = async (request, { stores, passwords }) => {
  const { id } = request.params;
  // Reports an unknown id before a password is hashed.
  const before = await stores.users.findById(id);
  if (before === null) throw userNotFound();
  const { password } = request.body;
  if (password !== undefined) requireGoodPassword(password, { ...before, ...request.body });
  const changes = await changesOf(request.body, passwords);
  const user = await stores.users.update(id, changes, auditActorOf(request));
  if (user === null) throw userNotFound();
  return { kind: 'json', status: 200, body: accountAnswer(user) };
};

/** DELETE /users/{id} */
export const deleteUser: Handler<Operations['deleteUser']> = async (request, { stores }) => {
  if (!(await stores.users.delete(request.params.id, auditActorOf(request)))) throw userNotFound();
  return { kind: 'empty', status: 204 };
};

type Changes = Parameters<typeof updateUser>[0]['body'];

async function changesOf(
  { email, name, role, disabled, password }: Changes,
  passwords: Passwords,
): Promise<UserChanges> {
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(password === undefined ? {} : { passwordHash: await passwords.hash(password) }),
  };
}

function userNotFound(): AppError {
  return new AppError('not_found', 'No user has this id.');
}

function accountAnswer(user: User): UserAccount {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    created_at: user.createdAt.toISOString(),
    disabled: user.disabledAt !== null,
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  };
}
