import { isPersonal, operationIds, operationOf } from '@plimsoll/contract';
import type { Response } from 'supertest';
import { apiPerFile, startApi } from './api-under-test.ts';
import { openEvents } from './event-reader.ts';
import { actionsOf, addApp, addPasskey, codeAt, logIn, publicUrl } from './second-factor-users.ts';
import { createUser } from './users.ts';

const api = apiPerFile(() => startApi({ publicUrl, secondFactorRoles: ['operator'] }, () => now));
let now = new Date('2026-11-23T12:00:00.000Z');
const nextCodes = (): void => {
  now = new Date(now.getTime() + 60_000);
};

/** Lets a user's sessions look as if they began some minutes ago. */
async function age(userId: string, minutes: number): Promise<void> {
  await api.database.db.prisma.session.updateMany({
    where: { userId },
    data: { authenticatedAt: new Date(Date.now() - minutes * 60_000) },
  });
}

async function adminWithFactor(name: string) {
  const user = await createUser(api, 'admin', { email: `${name}@example.org` });
  const token = String((await logIn(api, user.email, user.password)).body.token);
  return { ...user, token };
}

const tryToAdd = (token: string): Promise<Response> =>
  api.post('/api/v1/users', {
    token,
    json: {
      email: `${crypto.randomUUID()}@example.org`,
      role: 'viewer',
      password: 'a password for this one',
    },
  });
const prove = (token: string, json: object): Promise<Response> =>
  api.post('/api/v1/auth/reauthenticate', { token, json });

describe('an operation that needs a recent proof', () => {
  it('is every one that changes users or second factors or makes a key, those of policies, channels, reports by mail and evidence, and accepting a host key; of API keys only evidence', () => {
    const recent = operationIds.filter((id) => operationOf(id).recent);
    expect([...recent].sort()).toEqual([
      'acceptHostKey',
      'addPasskey',
      'confirmTotp',
      'createApiKey',
      'createBulletin',
      'createChannel',
      'createEvidenceKey',
      'createInvitation',
      'createUser',
      'deleteUser',
      'getPasskeyOptions',
      'makeEvidence',
      'makeRecoveryCodes',
      'removePasskey',
      'removeTotp',
      'resetSecondFactor',
      'revokeInvitation',
      'setDuePolicy',
      'setExposureRules',
      'setOriginRules',
      'setTagRules',
      'setUpTotp',
      'updateBulletin',
      'updateChannel',
      'updateUser',
    ]);
    expect(recent.filter((id) => !isPersonal(operationOf(id)))).toEqual(['makeEvidence']);
  });

  it('is refused ten minutes after signing in, and works again after the password', async () => {
    const user = await adminWithFactor('ada');
    await age(user.id, 9);
    expect((await tryToAdd(user.token)).status).toBe(201);
    await age(user.id, 11);
    const refused = await tryToAdd(user.token);
    expect([refused.status, refused.body.code]).toEqual([403, 'reauthentication_required']);
    expect(refused.body.detail).toContain('POST /auth/reauthenticate');
    expect((await api.get('/api/v1/users', { token: user.token })).status).toBe(200);
    const wrong = await prove(user.token, { password: 'not the password' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
    expect((await tryToAdd(user.token)).status).toBe(403);
    expect((await prove(user.token, { password: user.password })).status).toBe(204);
    expect((await tryToAdd(user.token)).status).toBe(201);
    expect(await actionsOf(api, user.id)).toContain('user.reauthenticated');
  });

  it('works at once in a new session: a script needs nothing but its password', async () => {
    const user = await adminWithFactor('bea');
    await age(user.id, 600);
    const { token } = (await logIn(api, user.email, user.password)).body;
    expect((await tryToAdd(token)).status).toBe(201);
    expect((await tryToAdd(user.token)).status).toBe(403);
  });

  it('works after a code of the app, a recovery code or a passkey, each once', async () => {
    const user = await adminWithFactor('cyd');
    const { secret, codes } = await addApp(api, user.token);
    const { device } = await addPasskey(api, user.token);
    nextCodes();
    const code = codeAt(secret, now);
    const sign = async () => {
      const begun = await api.post('/api/v1/auth/reauthenticate/options', { token: user.token });
      const { options } = begun.body;
      return { challenge: options.challenge, passkey: device.get(options) };
    };
    for (const proof of [{ totp: code }, { recovery_code: codes[0] }, await sign()]) {
      await age(user.id, 11);
      expect((await prove(user.token, proof)).status).toBe(204);
      expect((await tryToAdd(user.token)).status).toBe(201);
      expect((await prove(user.token, proof)).status).toBe(401);
    }
  });

  it('is not proved by the password alone if the user has a second factor', async () => {
    const user = await adminWithFactor('ivy');
    await addApp(api, user.token);
    await age(user.id, 11);
    const refused = await prove(user.token, { password: user.password });
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await tryToAdd(user.token)).status).toBe(403);
  });

  it('is not proved by a passkey with the challenge of a sign-in, or of another user', async () => {
    const [dot, eve] = [await adminWithFactor('dot'), await adminWithFactor('eve')];
    const { device } = await addPasskey(api, dot.token);
    await addPasskey(api, eve.token);
    const asked = (await logIn(api, dot.email, dot.password)).body;
    const signed = { challenge: asked.challenge, passkey: device.get(asked.passkey_options) };
    expect((await prove(dot.token, signed)).status).toBe(401);
    const { options } = (await api.post('/api/v1/auth/reauthenticate/options', { token: eve.token })).body;
    const foreign = { challenge: options.challenge, passkey: device.get(options) };
    expect((await prove(eve.token, foreign)).status).toBe(401);
    expect((await prove(dot.token, foreign)).status).toBe(401);
  });

  it.each([
    ['nothing', {}],
    ['two proofs', { password: 'x', totp: '123456' }],
    ['a passkey without its challenge', { passkey: {} }],
    ['a challenge without a passkey', { password: 'x', challenge: 'y' }],
  ])('is not proved by %s', async (_, json) => {
    expect((await prove(api.admin.token, json)).status).toBe(422);
  });
});

describe('a user whose role needs a second factor', () => {
  it('can do nothing without one but set one up, and everything after that', async () => {
    const user = await createUser(api, 'operator', { email: 'fay@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    const refused = await api.get('/api/v1/hosts', { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_required']);
    expect(refused.body.detail).toContain('POST /auth/totp');
    expect((await api.get('/api/v1/auth/me', { token })).status).toBe(200);
    const state = await api.get('/api/v1/auth/second-factor', { token });
    expect(state.body.required).toBe(true);
    await addApp(api, token);
    expect((await api.get('/api/v1/hosts', { token })).status).toBe(200);
  });

  it('is refused every other operation of users', async () => {
    const user = await createUser(api, 'operator', { email: 'gil@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    const id = crypto.randomUUID();
    for (const operation of operationIds.map(operationOf)) {
      if (operation.auth !== 'user' || operation.withoutFactor || operation.role === 'admin') continue;
      const path = operation.path.replaceAll(/\{\w+\}/g, id);
      const answer = await api[operation.method](path, { token });
      expect([path, answer.body.code]).toEqual([path, 'second_factor_required']);
    }
  });

  it('keeps the last one, and exchanges it for another', async () => {
    const user = await createUser(api, 'operator', { email: 'hal@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    await addApp(api, token);
    const refused = await api.delete('/api/v1/auth/totp', { token });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('Add another one first'),
    ]);
    const { id } = await addPasskey(api, token);
    expect((await api.delete('/api/v1/auth/totp', { token })).status).toBe(204);
    expect((await api.delete(`/api/v1/auth/passkeys/${id}`, { token })).status).toBe(409);
  });

  it('is asked to set one up again after an admin reset it', async () => {
    const user = await createUser(api, 'operator', { email: 'ida@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    await addApp(api, token);
    await api.admin.delete(`/api/v1/users/${user.id}/second-factor`);
    const again = (await logIn(api, user.email, user.password)).body.token;
    expect((await api.get('/api/v1/hosts', { token: again })).body.code).toBe('second_factor_required');
  });

  it('has keys of that role that work only while it has one', async () => {
    const user = await createUser(api, 'operator', { email: 'kim@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    await addApp(api, token);
    const issue = async (role: string) => {
      const json = { name: role, role, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
      return (await api.post('/api/v1/api-keys', { token, json })).body.key as string;
    };
    const [strong, weak] = [await issue('operator'), await issue('viewer')];
    const statusOf = async (key: string) => {
      const { status, body } = await api.get('/api/v1/hosts', { token: key });
      return [status, body.code];
    };
    const stream = await openEvents(api.url, strong);
    expect([await statusOf(strong), await statusOf(weak), stream.status]).toEqual([
      [200, undefined],
      [200, undefined],
      200,
    ]);
    await api.admin.delete(`/api/v1/users/${user.id}/second-factor`);
    await stream.untilOver();
    expect([await statusOf(strong), await statusOf(weak)]).toEqual([
      [403, 'second_factor_required'],
      [200, undefined],
    ]);
  });

  it('gives no such key to a user of another role who has none', async () => {
    const json = { name: 'x', role: 'operator', expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await api.admin.post('/api/v1/api-keys', { json })).body.code).toBe('second_factor_required');
    expect((await api.admin.post('/api/v1/api-keys', { json: { ...json, role: 'viewer' } })).status).toBe(
      201,
    );
  });

  it('does not touch users of other roles', async () => {
    const user = await createUser(api, 'viewer', { email: 'jan@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    expect((await api.get('/api/v1/hosts', { token })).status).toBe(200);
  });
});
