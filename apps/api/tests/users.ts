import { randomUUID } from 'node:crypto';
import type { ApiUnderTest } from './api-under-test.ts';
import { type UserClient, userClient } from './checked-client.ts';

/** The password of the users that tests add. */
export const userPassword = 'quite a long password';

/** What a new user has. */
export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Has the admin add a user, with an e-mail address of its own unless one is given. */
export async function createUser(
  api: ApiUnderTest,
  role: string,
  {
    email = `${randomUUID()}@example.org`,
    tags = null,
  }: { readonly email?: string; readonly tags?: readonly string[] | null } = {},
): Promise<NewUser> {
  const json = { email, role, tags, password: userPassword };
  const { status, body } = await api.admin.post('/api/v1/users', { json });
  expect(status).toBe(201);
  return { id: body.id, email: body.email, password: userPassword };
}

/** Adds a user and signs it in. */
export async function addUser(
  api: ApiUnderTest,
  role: string,
  more: Parameters<typeof createUser>[2] = {},
): Promise<NewUser & UserClient> {
  const user = await createUser(api, role, more);
  const json = { email: user.email, password: user.password };
  const { status, body } = await api.post('/api/v1/auth/login', { json });
  expect(status).toBe(200);
  return { ...user, ...userClient(api, body.token) };
}
