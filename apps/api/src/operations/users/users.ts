import type { UserAccount } from '@plimsoll/contract';
import { newId, type User, type UserChanges } from '@plimsoll/db';
import { AppError, scopeOfTags, tagsOfScope, type UserId } from '@plimsoll/model';
import { z } from 'zod';
import type { Passwords } from '../../auth/passwords.ts';
import { requireGoodPassword } from '../../auth/require-good-password.ts';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';

/** GET /users */
export const listUsers: Handler<'listUsers'> = async (request, { stores }) => {
  const page = askedPage(request, '/api/v1/users', z.string().max(254));
  const [found, total] = await Promise.all([
    stores.users.list({ limit: page.limit + 1, after: page.after }),
    stores.users.count(),
  ]);
  const { rows, headers } = page.of(found, total, ({ email }) => email);
  const issuers = await stores.identities.issuersOf(rows.map(({ id }) => id));
  return { kind: 'json', status: 200, headers, body: rows.map((user) => accountAnswer(user, issuers)) };
};

/** POST /users */
export const createUser: Handler<'createUser'> = async (request, { stores, passwords }) => {
  const { email, name = '', role, tags, password } = request.body;
  requireGoodPassword(password, { email, name });
  const passwordHash = await passwords.hash(password);
  const user = { id: newId<UserId>(), email, name, role, scope: scopeOfTags(tags), passwordHash };
  const created = await stores.users.create(user, auditActorOf(request));
  return { kind: 'json', status: 201, body: accountAnswer(created, new Map()) };
};

/** PATCH /users/{id} */
export const updateUser: Handler<'updateUser'> = async (request, { stores, passwords }) => {
  const { id } = request.params;
  // Reports an unknown id before a password is hashed.
  const before = await stores.users.findById(id);
  if (before === null) throw userNotFound();
  const { password } = request.body;
  if (password !== undefined) requireGoodPassword(password, { ...before, ...request.body });
  const changes = await changesOf(request.body, passwords);
  const user = await stores.users.update(id, changes, auditActorOf(request));
  if (user === null) throw userNotFound();
  const issuers = await stores.identities.issuersOf([id]);
  return { kind: 'json', status: 200, body: accountAnswer(user, issuers) };
};

/** DELETE /users/{id} */
export const deleteUser: Handler<'deleteUser'> = async (request, { stores }) => {
  if (!(await stores.users.delete(request.params.id, auditActorOf(request)))) throw userNotFound();
  return { kind: 'empty', status: 204 };
};

/** DELETE /users/{id}/second-factor */
export const resetSecondFactor: Handler<'resetSecondFactor'> = async (request, { stores }) => {
  const done = await stores.secondFactors.reset(request.params.id, auditActorOf(request));
  if (done === null) throw userNotFound();
  return { kind: 'empty', status: 204 };
};

type Changes = Parameters<typeof updateUser>[0]['body'];

async function changesOf(
  { email, name, role, tags, disabled, password }: Changes,
  passwords: Passwords,
): Promise<UserChanges> {
  return {
    ...given({ email, name, role, disabled }),
    ...(tags === undefined ? {} : { scope: scopeOfTags(tags) }),
    ...(password === undefined ? {} : { passwordHash: await passwords.hash(password) }),
  };
}

function userNotFound(): AppError {
  return new AppError('not_found', 'No user has this id.');
}

function accountAnswer(user: User, issuers: ReadonlyMap<string, string>): UserAccount {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    tags: tagsOfScope(user.scope),
    created_at: user.createdAt.toISOString(),
    has_second_factor: user.secondFactorAt !== null,
    access_withdrawn_at: user.accessWithdrawnAt?.toISOString() ?? null,
    disabled: user.disabledAt !== null,
    provider: issuers.get(user.id) ?? null,
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  };
}
