import { apiPerFile, startApi } from './api-under-test.ts';
import { actionsOf, addPasskey, logIn, place, publicUrl } from './second-factor-users.ts';
import { createSoftwareAuthenticator, type Deviation } from './software-authenticator.ts';
import { createUser } from './users.ts';

const api = apiPerFile(() => startApi({ publicUrl }));

const elsewhere = {
  rpId: 'plimsoll.example.org',
  origin: 'https://plimsoll.example.org.evil.example',
} as const;
const otherParty = { rpId: 'evil.example', origin: publicUrl } as const;

/** A user with a passkey. */
async function userWithPasskey(name: string) {
  const user = await createUser(api, 'operator', { email: `${name}@example.org` });
  const { token } = (await logIn(api, user.email, user.password)).body;
  const { device, id, codes } = await addPasskey(api, token);
  const begin = async () => (await logIn(api, user.email, user.password)).body;
  return { ...user, token: String(token), device, passkeyId: id, codes, begin };
}

const answer = (challenge: string, passkey: object) =>
  api.post('/api/v1/auth/second-factor', { json: { challenge, passkey } });

describe('a passkey as second factor', () => {
  it('signs in after the password, and brings recovery codes as the first factor', async () => {
    const user = await userWithPasskey('ada');
    expect(user.codes).toHaveLength(10);
    const asked = await user.begin();
    expect(asked.methods).toEqual(['passkey', 'recovery_code']);
    expect(asked.passkey_options).toMatchObject({
      challenge: asked.challenge,
      rpId: place.rpId,
      allowCredentials: [{ id: user.device.id, type: 'public-key' }],
    });
    const signedIn = await answer(asked.challenge, user.device.get(asked.passkey_options));
    expect(signedIn.status).toBe(200);
    const state = await api.get('/api/v1/auth/second-factor', { token: signedIn.body.token });
    expect(state.body.passkeys).toEqual([
      {
        id: user.passkeyId,
        name: 'laptop',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
  });

  it('is refused when it was made or used for another origin, another service or another challenge', async () => {
    const user = await userWithPasskey('bea');
    const other = await user.begin();
    for (const wrong of [
      (options: { challenge: string }) => user.device.get(options, elsewhere),
      (options: { challenge: string }) => user.device.get(options, otherParty),
      () => user.device.get(other.passkey_options),
      (options: { challenge: string }) => user.device.get(options, place, { type: 'webauthn.create' }),
    ]) {
      const asked = await user.begin();
      const refused = await answer(asked.challenge, wrong(asked.passkey_options));
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials']);
    }
    const actions = await actionsOf(api, user.id);
    expect(actions.filter((action) => action === 'user.second_factor_failed')).toHaveLength(4);
    const asked = await user.begin();
    expect((await answer(asked.challenge, user.device.get(asked.passkey_options))).status).toBe(200);
  });

  it('is refused with a signature counter that does not grow: the authenticator may be a copy', async () => {
    const user = await userWithPasskey('cyd');
    const signInWith = async (deviation: Deviation) => {
      const asked = await user.begin();
      return (await answer(asked.challenge, user.device.get(asked.passkey_options, place, deviation))).status;
    };
    const statuses = [];
    for (const counter of [7, 7, 3, 0, 8]) statuses.push(await signInWith({ counter }));
    expect(statuses).toEqual([200, 401, 401, 401, 200]);
  });

  it('is refused to another user, and when it signed with another key', async () => {
    const [dot, eve] = [await userWithPasskey('dot'), await userWithPasskey('eve')];
    const asked = await dot.begin();
    expect((await answer(asked.challenge, eve.device.get(asked.passkey_options))).status).toBe(401);
    const stranger = createSoftwareAuthenticator(place).get(asked.passkey_options);
    const forged = { ...stranger, id: dot.device.id, rawId: dot.device.id };
    expect((await answer(asked.challenge, forged)).status).toBe(401);
  });

  it('is accepted once per challenge', async () => {
    const user = await userWithPasskey('fay');
    const asked = await user.begin();
    const passkey = user.device.get(asked.passkey_options);
    const answers = await Promise.all([1, 2, 3].map(() => answer(asked.challenge, passkey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });
});

describe('adding a passkey', () => {
  const options = async (token: string) =>
    (await api.post('/api/v1/auth/passkeys/options', { token })).body.options as { challenge: string };
  const add = (token: string, challenge: string, credential: object) =>
    api.post('/api/v1/auth/passkeys', { token, json: { name: 'key', challenge, credential } });

  it('needs the origin, the service, the challenge and the user it was begun for', async () => {
    const user = await userWithPasskey('gil');
    const begun = await options(user.token);
    for (const at of [elsewhere, otherParty]) {
      const refused = await add(
        user.token,
        begun.challenge,
        createSoftwareAuthenticator(place).create(begun, at),
      );
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/credential']);
    }
    const theirs = await options(api.admin.token);
    const stolen = createSoftwareAuthenticator(place).create(theirs);
    expect((await add(user.token, theirs.challenge, stolen)).status).toBe(422);
    const invented = createSoftwareAuthenticator(place).create({ challenge: 'x'.repeat(43) });
    expect((await add(user.token, 'x'.repeat(43), invented)).status).toBe(401);
  });

  it('uses its challenge once, and a challenge of a sign-in is of no use for it', async () => {
    const user = await userWithPasskey('hal');
    const begun = await options(user.token);
    expect(
      (await add(user.token, begun.challenge, createSoftwareAuthenticator(place).create(begun))).status,
    ).toBe(201);
    expect(
      (await add(user.token, begun.challenge, createSoftwareAuthenticator(place).create(begun))).status,
    ).toBe(401);
    const asked = await user.begin();
    const made = createSoftwareAuthenticator(place).create(asked.passkey_options);
    expect((await add(user.token, asked.challenge, made)).status).toBe(401);
  });

  it('names the present ones to the browser, and refuses one that is registered already', async () => {
    const user = await userWithPasskey('ida');
    const begun = (await api.post('/api/v1/auth/passkeys/options', { token: user.token })).body.options;
    expect(begun.excludeCredentials).toMatchObject([{ id: user.device.id }]);
    const again = await add(user.token, begun.challenge, user.device.create(begun));
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  it('several work, and each is removed alone; the codes go with the last', async () => {
    const user = await userWithPasskey('jan');
    const second = await addPasskey(api, user.token, 'blue key');
    expect(second.codes).toEqual([]);
    const asked = await user.begin();
    expect(asked.passkey_options.allowCredentials).toHaveLength(2);
    expect((await answer(asked.challenge, second.device.get(asked.passkey_options))).status).toBe(200);
    const remove = (id: string, token = user.token) => api.delete(`/api/v1/auth/passkeys/${id}`, { token });
    expect((await remove(second.id, api.admin.token)).status).toBe(404);
    expect((await remove(user.passkeyId)).status).toBe(204);
    const next = await user.begin();
    expect((await answer(next.challenge, user.device.get(next.passkey_options))).status).toBe(401);
    expect((await remove(second.id)).status).toBe(204);
    const state = await api.get('/api/v1/auth/second-factor', { token: user.token });
    expect(state.body).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect((await user.begin()).token).toBeDefined();
  });
});

describe('a passkey alone', () => {
  const begin = async () =>
    (await api.post('/api/v1/auth/passkeys/sign-in/options')).body.options as { challenge: string };
  const signIn = (challenge: string, passkey: object) =>
    api.post('/api/v1/auth/passkeys/sign-in', { json: { challenge, passkey } });

  it('signs in if its authenticator verified the user', async () => {
    const user = await userWithPasskey('kai');
    const options = await begin();
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [] });
    const signedIn = await signIn(options.challenge, user.device.get(options));
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.user.email).toBe(user.email);
    expect((await signIn(options.challenge, user.device.get(options))).status).toBe(401);
    const unverified = await begin();
    const passkey = user.device.get(unverified, place, { isVerified: false });
    expect((await signIn(unverified.challenge, passkey)).status).toBe(401);
  });

  it('is no way around a provider that grants its user nothing any more', async () => {
    const user = await userWithPasskey('mia');
    const attempt = async () => {
      const options = await begin();
      return (await signIn(options.challenge, user.device.get(options))).status;
    };
    const { prisma } = api.database.db;
    const set = (data: object) => prisma.user.updateMany({ where: { id: user.id }, data });
    await set({ passwordHash: null });
    expect(await attempt()).toBe(200);
    await set({ accessWithdrawnAt: new Date() });
    expect(await attempt()).toBe(401);
    expect((await prisma.user.findUnique({ where: { id: user.id } }))?.accessWithdrawnAt).not.toBeNull();
    await set({ accessWithdrawnAt: null });
    expect(await attempt()).toBe(200);
  });

  it('does not sign in a disabled user, with a challenge of a password, or elsewhere', async () => {
    const user = await userWithPasskey('lea');
    const asked = await user.begin();
    expect((await signIn(asked.challenge, user.device.get(asked.passkey_options))).status).toBe(401);
    const away = await begin();
    expect((await signIn(away.challenge, user.device.get(away, elsewhere))).status).toBe(401);
    await api.admin.patch(`/api/v1/users/${user.id}`, { json: { disabled: true } });
    const options = await begin();
    expect((await signIn(options.challenge, user.device.get(options))).status).toBe(401);
  });
});
