import { cliActor, unlockUser } from '@plimsoll/db';
import { createFactorSecrets } from '../src/second-factors/factor-secrets.ts';
import { resealAppSecrets } from '../src/second-factors/reseal-secrets.ts';
import { apiPerFile, jwtSecretKey, startApi } from './api-under-test.ts';
import { actionsOf, addApp, codeAt, logIn } from './second-factor-users.ts';
import { createUser } from './users.ts';

const api = apiPerFile(() => startApi({}, () => now));
/** The time of the API's clock: tests move it to the next codes. */
let now = new Date('2026-11-23T12:00:00.000Z');
const nextCodes = (): void => {
  now = new Date(now.getTime() + 60_000);
};

const answer = (challenge: string, proof: object) =>
  api.post('/api/v1/auth/second-factor', { json: { challenge, ...proof } });

/** A user with an authenticator app. */
async function userWithApp(name: string) {
  const user = await createUser(api, 'operator', { email: `${name}@example.org` });
  const first = (await logIn(api, user.email, user.password)).body.token;
  const { secret, codes } = await addApp(api, first);
  nextCodes();
  const begin = async (): Promise<string> => (await logIn(api, user.email, user.password)).body.challenge;
  return { ...user, token: first, secret, codes, begin, code: () => codeAt(secret, now) };
}

describe('a user without a second factor', () => {
  it('signs in with the password alone, with the same answer as ever', async () => {
    const { status, body } = await logIn(api);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'token', 'user']);
  });

  it('has none, and can have no passkey where the service has no public URL', async () => {
    const state = await api.admin.get('/api/v1/auth/second-factor');
    expect(state.body).toEqual({
      required: false,
      has_password: true,
      single_sign_on: null,
      totp_confirmed_at: null,
      passkeys: [],
      recovery_codes_left: 0,
      passkeys_refused: expect.stringContaining('api.public_url is not set'),
    });
    for (const path of ['/api/v1/auth/passkeys/options', '/api/v1/auth/passkeys/sign-in/options']) {
      const refused = await api.admin.post(path);
      expect([refused.status, refused.body.detail]).toEqual([409, state.body.passkeys_refused]);
    }
  });

  it('has no recovery codes to make, no app to remove and none to confirm', async () => {
    const made = await api.admin.post('/api/v1/auth/recovery-codes');
    const removed = await api.admin.delete('/api/v1/auth/totp');
    const confirmed = await api.admin.post('/api/v1/auth/totp/confirm', { json: { code: '123456' } });
    expect([made.status, removed.status, confirmed.status]).toEqual([409, 404, 409]);
  });

  it('signs in as before until a code has confirmed the app', async () => {
    const user = await createUser(api, 'viewer', { email: 'half@example.org' });
    const { token } = (await logIn(api, user.email, user.password)).body;
    expect((await api.post('/api/v1/auth/totp', { token })).status).toBe(201);
    const wrong = await api.post('/api/v1/auth/totp/confirm', { token, json: { code: '000000' } });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/code']);
    expect((await logIn(api, user.email, user.password)).body.token).toBeDefined();
  });
});

describe('a user with an authenticator app', () => {
  it('gets a challenge and no token for the right password, and nothing of it for a wrong one', async () => {
    const ada = await userWithApp('ada');
    const { status, body } = await logIn(api, ada.email, ada.password);
    expect(status).toBe(200);
    expect(body).toEqual({
      second_factor_required: true,
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.any(String),
      methods: ['totp', 'recovery_code'],
      passkey_options: null,
    });
    const wrong = await logIn(api, ada.email, 'not the password at all');
    const unknown = await logIn(api, 'nobody@example.org', 'not the password at all');
    const { request_id: _a, ...first } = wrong.body;
    const { request_id: _b, ...second } = unknown.body;
    expect(first).toEqual(second);
  });

  it('signs in with the code of the app, as a login answers', async () => {
    const user = await userWithApp('bea');
    const signedIn = await answer(await user.begin(), { totp: user.code() });
    expect(signedIn.status).toBe(200);
    expect(Object.keys(signedIn.body).sort()).toEqual(['expires_at', 'token', 'user']);
    const me = await api.get('/api/v1/auth/me', { token: signedIn.body.token });
    expect(me.body.email).toBe(user.email);
    const actions = await actionsOf(api, user.id);
    expect(actions.slice(0, 2)).toEqual(['user.logged_in', 'user.totp_added']);
  });

  it('cannot use a code twice, nor one that is older than the newest used', async () => {
    const user = await userWithApp('cyd');
    const code = user.code();
    expect((await answer(await user.begin(), { totp: code })).status).toBe(200);
    const again = await answer(await user.begin(), { totp: code });
    expect([again.status, again.body.code]).toEqual([401, 'invalid_credentials']);
    const earlier = codeAt(user.secret, new Date(now.getTime() - 30_000));
    expect((await answer(await user.begin(), { totp: earlier })).status).toBe(401);
    nextCodes();
    expect((await answer(await user.begin(), { totp: user.code() })).status).toBe(200);
  });

  it('cannot use one code in two sign-ins at the same moment', async () => {
    const user = await userWithApp('dot');
    const challenges = await Promise.all(Array.from({ length: 4 }, () => user.begin()));
    const answers = await Promise.all(challenges.map((each) => answer(each, { totp: user.code() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('uses a challenge once, also in requests at the same moment', async () => {
    const user = await userWithApp('eli');
    const challenge = await user.begin();
    const proofs = [
      { totp: user.code() },
      ...user.codes.slice(0, 3).map((code) => ({ recovery_code: code })),
    ];
    const answers = await Promise.all(proofs.map((proof) => answer(challenge, proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await answer(challenge, { recovery_code: user.codes[4] })).status).toBe(401);
  });

  it('has five attempts at a challenge and five in all, and can be unlocked', async () => {
    const user = await userWithApp('fay');
    const challenge = await user.begin();
    const wrong = () => answer(challenge, { totp: '000000' });
    const codes = [];
    for (let n = 0; n < 5; n += 1) codes.push((await wrong()).status);
    expect(codes).toEqual([401, 401, 401, 401, 401]);
    const over = await answer(challenge, { totp: user.code() });
    expect([over.status, over.body.detail]).toEqual([401, expect.stringContaining('Begin again')]);
    const limited = await answer(await user.begin(), { totp: user.code() });
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    const actions = await actionsOf(api, user.id);
    expect(actions.filter((action) => action === 'user.second_factor_failed')).toHaveLength(5);
    const found = await api.context.stores.users.findById(user.id);
    if (found === null) throw new Error('the user is gone');
    expect(await unlockUser(api.database.as('cli'), found, cliActor('plimsoll user unlock'))).toBe(true);
    expect((await answer(await user.begin(), { totp: user.code() })).status).toBe(200);
  });

  it('cannot answer a challenge that has expired, nor one from before the password was changed', async () => {
    const user = await userWithApp('gil');
    const [expired, stale] = [await user.begin(), await user.begin()];
    const { prisma } = api.database.db;
    const owned = { userId: user.id };
    const [first] = await prisma.signInChallenge.findMany({ where: owned, orderBy: { expiresAt: 'asc' } });
    await prisma.signInChallenge.updateMany({
      where: { ...owned, expiresAt: first?.expiresAt ?? new Date(0) },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect((await answer(expired, { totp: user.code() })).status).toBe(401);
    await api.admin.patch(`/api/v1/users/${user.id}`, { json: { password: 'quite another long one' } });
    expect((await answer(stale, { totp: user.code() })).status).toBe(401);
  });

  it.each([
    ['no proof', {}],
    ['two proofs', { totp: '123456', recovery_code: 'x' }],
    ['a proof of its own', { sms: '123456' }],
  ])('is refused %s', async (_, proof) => {
    expect((await answer('x'.repeat(43), proof)).status).toBe(422);
  });

  it('ends its other sessions when the first factor is added, and keeps this one', async () => {
    const user = await createUser(api, 'viewer', { email: 'hal@example.org' });
    const other = (await logIn(api, user.email, user.password)).body.token;
    const own = (await logIn(api, user.email, user.password)).body.token;
    await addApp(api, own);
    expect((await api.get('/api/v1/auth/me', { token: other })).status).toBe(401);
    expect((await api.get('/api/v1/auth/me', { token: own })).status).toBe(200);
  });

  it('cannot set up a second app beside it, and signs in with the password alone once it is removed', async () => {
    const user = await userWithApp('ida');
    expect((await api.post('/api/v1/auth/totp', { token: user.token })).status).toBe(409);
    expect((await api.delete('/api/v1/auth/totp', { token: user.token })).status).toBe(204);
    const state = await api.get('/api/v1/auth/second-factor', { token: user.token });
    expect(state.body).toMatchObject({ totp_confirmed_at: null, recovery_codes_left: 0 });
    expect((await logIn(api, user.email, user.password)).body.token).toBeDefined();
  });
});

describe('recovery codes', () => {
  it('sign in once each, and are counted', async () => {
    const user = await userWithApp('jan');
    expect(user.codes).toHaveLength(10);
    const [code = ''] = user.codes;
    expect((await answer(await user.begin(), { recovery_code: code.toLowerCase() })).status).toBe(200);
    expect((await answer(await user.begin(), { recovery_code: code })).status).toBe(401);
    const state = await api.get('/api/v1/auth/second-factor', { token: user.token });
    expect(state.body.recovery_codes_left).toBe(9);
    expect(await actionsOf(api, user.id)).toContain('user.recovery_code_used');
  });

  it('end when new ones are made', async () => {
    const user = await userWithApp('kai');
    const made = await api.post('/api/v1/auth/recovery-codes', { token: user.token });
    const [fresh] = made.body.recovery_codes;
    expect((await answer(await user.begin(), { recovery_code: user.codes[1] })).status).toBe(401);
    expect((await answer(await user.begin(), { recovery_code: fresh })).status).toBe(200);
  });

  it('are of no use to another user', async () => {
    const [lea, max] = [await userWithApp('lea'), await userWithApp('max')];
    expect((await answer(await lea.begin(), { recovery_code: max.codes[0] })).status).toBe(401);
  });
});

describe('an admin', () => {
  it('resets the factors of a user who lost them, which ends the sessions of that user', async () => {
    const user = await userWithApp('nat');
    const path = `/api/v1/users/${user.id}/second-factor`;
    const has = async () =>
      (await api.admin.get('/api/v1/users?limit=1000')).body.find(({ id }: { id: string }) => id === user.id)
        .has_second_factor;
    expect(await has()).toBe(true);
    expect((await api.delete(path, { token: user.token })).status).toBe(403);
    expect((await api.admin.delete(path)).status).toBe(204);
    expect(await has()).toBe(false);
    expect((await api.get('/api/v1/auth/me', { token: user.token })).status).toBe(401);
    expect((await logIn(api, user.email, user.password)).body.token).toBeDefined();
    expect(await actionsOf(api, user.id)).toContain('user.second_factor_reset');
    const unknown = await api.admin.delete(`/api/v1/users/${crypto.randomUUID()}/second-factor`);
    expect(unknown.status).toBe(404);
  });
});

it('a replaced key is no longer needed once the API has sealed the secrets again', async () => {
  const user = await userWithApp('pia');
  const { totp } = api.context.stores;
  const newer = 'another key of more than 32 bytes, for tests';
  await resealAppSecrets(totp, createFactorSecrets([newer, jwtSecretKey]), api.log.logger);
  const stored = await totp.find(user.id);
  expect(createFactorSecrets([newer]).isCurrent(stored?.sealed ?? new Uint8Array())).toBe(true);
  const unopened = await answer(await user.begin(), { totp: user.code() });
  expect([unopened.status, unopened.body.detail]).toEqual([503, expect.stringContaining('recovery code')]);
  await resealAppSecrets(totp, createFactorSecrets([jwtSecretKey, newer]), api.log.logger);
  expect((await answer(await user.begin(), { totp: user.code() })).status).toBe(200);
});

it('nothing in the database proves a second factor', async () => {
  const user = await userWithApp('oda');
  const challenge = await user.begin();
  const { prisma } = api.database.db;
  const secret = await prisma.totpSecret.findUniqueOrThrow({ where: { userId: user.id } });
  const challenges = await prisma.signInChallenge.findMany({ where: { userId: user.id } });
  const codes = await prisma.recoveryCode.findMany({ where: { userId: user.id } });
  const stored = Buffer.concat([
    secret.sealed,
    ...challenges.map((row) => row.digest),
    ...codes.map((row) => row.digest),
  ]);
  const { Secret } = await import('otpauth');
  for (const known of [
    Buffer.from(Secret.fromBase32(user.secret).bytes),
    Buffer.from(user.secret),
    Buffer.from(challenge),
    Buffer.from(challenge, 'base64url'),
    ...user.codes.flatMap((code) => [Buffer.from(code), Buffer.from(code.replaceAll('-', ''))]),
  ]) {
    expect(stored.includes(known)).toBe(false);
  }
  // What a dump has is no answer either.
  const digest = challenges[0]?.digest ?? Buffer.alloc(0);
  const asChallenge = Buffer.from(digest).toString('base64url');
  expect((await answer(asChallenge, { totp: user.code() })).status).toBe(401);
  const asCode = Buffer.from(codes[0]?.digest ?? []).toString('hex');
  expect((await answer(challenge, { recovery_code: asCode })).status).toBe(401);
});
