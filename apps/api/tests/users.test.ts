import { adminEmail, adminPassword, apiPerTest } from './api-under-test.ts';
import { readPages } from './checked-client.ts';
import { createUser, userPassword } from './users.ts';

const api = apiPerTest();

const add = async (email: string, role = 'viewer') => (await createUser(api, role, { email })).id;
const signIn = (email: string, secret = userPassword) =>
  api.post('/api/v1/auth/login', { json: { email, password: secret } });
const tokenOf = async (email: string, secret = userPassword) => (await signIn(email, secret)).body.token;
const patch = (id: string, json: object) => api.admin.patch(`/api/v1/users/${id}`, { json });
const remove = (id: string) => api.admin.delete(`/api/v1/users/${id}`);
const me = (ofToken: string) => api.get('/api/v1/auth/me', { token: ofToken });
const ownId = async () => (await me(api.admin.token)).body.id;

it('created by an admin can sign in with the role they were given', async () => {
  const id = await add('Vera@Example.org');
  const { body } = await me(await tokenOf('vera@example.org'));
  expect(body).toMatchObject({ id, email: 'vera@example.org', name: '', role: 'viewer' });
});

it.each([
  ['of eleven characters', 'eleven char'],
  ['that is repeated', 'passwordpassword'],
  ['of words that come first', 'Plimsoll-Admin-1'],
  ['of 73 bytes', `${'ä'.repeat(36)}a`],
])('are refused with a password %s, created and reset', async (_, secret) => {
  const id = await add('vera@example.org');
  const json = { email: 'new@example.org', role: 'viewer', password: secret };
  const created = await api.admin.post('/api/v1/users', { json });
  const reset = await patch(id, { password: secret });
  expect([created, reset].map(({ status, body }) => [status, body.errors[0].pointer])).toEqual([
    [422, '/password'],
    [422, '/password'],
  ]);
});

it('have a unique e-mail address, whatever its case, also for ten requests at once', async () => {
  const json = { email: 'Twin@example.org', role: 'viewer', password: userPassword };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.admin.post('/api/v1/users', { json })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const id = await add('other@example.org');
  expect((await patch(id, { email: 'TWIN@example.org' })).body).toMatchObject({
    code: 'conflict',
    errors: [{ pointer: '/email', detail: 'is taken' }],
  });
});

it('are listed by e-mail address in pages, with their total and without secrets', async () => {
  for (const name of ['c', 'a', 'b']) await add(`${name}@example.org`);
  const all = await api.admin.get('/api/v1/users');
  const emails = all.body.map(({ email }: { email: string }) => email);
  expect(emails).toEqual(['a@example.org', adminEmail, 'b@example.org', 'c@example.org']);
  expect(all.headers['x-total-count']).toBe('4');
  expect(all.text).not.toMatch(/password|hash|\$2[aby]\$/);
  const pages = await readPages(api.admin, '/api/v1/users?limit=1');
  expect(pages.flatMap(({ body }) => body)).toEqual(all.body);
});

it('have the time of their last sign-in', async () => {
  await add('vera@example.org');
  const lastLogin = async () =>
    (await api.admin.get('/api/v1/users')).body.find(
      ({ email }: { email: string }) => email === 'vera@example.org',
    ).last_login_at;
  expect(await lastLogin()).toBeNull();
  await signIn('vera@example.org', 'not the password');
  expect(await lastLogin()).toBeNull();
  await signIn('vera@example.org');
  expect(Date.parse(await lastLogin())).toBeGreaterThan(Date.now() - 60_000);
});

it.each([
  ['another role', { role: 'operator' }, userPassword],
  ['another password', { password: 'another long password' }, 'another long password'],
])('given %s lose every token, and sign in anew', async (_, change, secret) => {
  const id = await add('vera@example.org');
  const before = [await tokenOf('vera@example.org'), await tokenOf('vera@example.org')];
  expect((await patch(id, change)).status).toBe(200);
  expect(await Promise.all(before.map(async (old) => (await me(old)).status))).toEqual([401, 401]);
  expect((await me(await tokenOf('vera@example.org', secret))).status).toBe(200);
});

it.each([
  ['name', { name: 'Vera' }],
  ['e-mail address', { email: 'v@example.org' }],
  ['role to what it is', { role: 'viewer' }],
])('whose %s is set keep their tokens', async (_, change) => {
  const id = await add('vera@example.org');
  const theirs = await tokenOf('vera@example.org');
  expect((await patch(id, change)).status).toBe(200);
  expect((await me(theirs)).status).toBe(200);
});

it('that are disabled can neither sign in nor use their tokens; enabling restores only the first', async () => {
  const id = await add('vera@example.org');
  const theirs = await tokenOf('vera@example.org');
  expect((await patch(id, { disabled: true })).body.disabled).toBe(true);
  expect([(await me(theirs)).status, (await signIn('vera@example.org')).status]).toEqual([401, 401]);
  expect((await patch(id, { disabled: false })).body.disabled).toBe(false);
  expect([(await me(theirs)).status, (await signIn('vera@example.org')).status]).toEqual([401, 200]);
});

it('that are deleted lose their tokens, and their audit entries keep their name', async () => {
  const id = await add('olga@example.org', 'operator');
  const theirs = await tokenOf('olga@example.org');
  const json = { display_name: 'Printer', hostname: 'printer.example.org' };
  expect((await api.post('/api/v1/hosts/manual', { token: theirs, json })).status).toBe(201);
  expect([(await remove(id)).status, (await remove(id)).status]).toEqual([204, 404]);
  expect([(await me(theirs)).status, (await signIn('olga@example.org')).status]).toEqual([401, 401]);
  const events = await api.admin.get(`/api/v1/audit-events?actor=${id}&action=host.`);
  expect(events.body).toMatchObject([
    { action: 'host.created', actor_id: id, actor_name: 'olga@example.org' },
  ]);
});

it.each([
  ['removed', (id: string) => remove(id)],
  ['disabled', (id: string) => patch(id, { disabled: true })],
  ['demoted', (id: string) => patch(id, { role: 'operator' })],
])('keep their last admin from being %s, and the tokens of it', async (_, attempt) => {
  const disabled = await add('former@example.org', 'admin');
  await patch(disabled, { disabled: true });
  const answer = await attempt(await ownId());
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  expect((await me(api.admin.token)).body.role).toBe('admin');
});

it('keep one admin if two are demoted, disabled and removed at the same moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = await add(`second${round}@example.org`, 'admin');
    const theirs = await tokenOf(`second${round}@example.org`);
    const first = await ownId();
    const answers = await Promise.all([
      api.delete(`/api/v1/users/${first}`, { token: theirs }),
      patch(other, round % 2 === 0 ? { role: 'viewer' } : { disabled: true }),
    ]);
    // The second request may also find its token revoked by the first.
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const { rows } = await api.database.db.pool.query(
      `SELECT email FROM users WHERE role = 'admin' AND disabled_at IS NULL`,
    );
    expect(rows).toHaveLength(1);
    if (rows[0].email !== adminEmail) api.admin.token = theirs;
    if (rows[0].email !== adminEmail) return;
  }
  expect((await signIn(adminEmail, adminPassword)).status).toBe(200);
});
