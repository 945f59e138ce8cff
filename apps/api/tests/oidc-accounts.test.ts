import type { TestOidcProvider } from '@plimsoll/testing';
import { type ApiUnderTest, adminEmail, startApi } from './api-under-test.ts';
import { type Browser, createBrowser } from './oidc/browser.ts';
import { oidcSettings } from './oidc/oidc-settings.ts';
import {
  access,
  accountOf,
  ada,
  adaEmail,
  eventsOf,
  setUpProvider,
  signInBy,
  startProvider,
  startWithProvider,
} from './oidc/provider-sign-in.ts';

let provider: TestOidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

describe('signing out', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    ({ api } = await startWithProvider(provider));
  });
  afterAll(() => api.stop());

  const endAtProvider = async (browser: Browser, headers: Record<string, string> = {}) => {
    const cookie = [...browser.cookies(api.url)].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(`${api.url}/api/v1/auth/oidc/logout`, {
      method: 'POST',
      headers: { cookie, origin: api.url, ...headers },
    });
  };

  it('ends the session at the provider, too', async () => {
    const { browser } = await signInBy(provider, api, ada);
    const kept = browser.received.find((line) => line.startsWith('plimsoll_provider='));
    expect(kept).toMatch(/; Path=\/api\/v1\/auth\/oidc\/logout; HttpOnly; SameSite=Strict$/);
    const answer = await endAtProvider(browser);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^plimsoll_provider=; Max-Age=0/)]);
    const { url } = (await answer.json()) as { url: string };
    const asked = new URL(url);
    expect(asked.origin + asked.pathname).toBe(`${provider.issuer}/session/end`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: 'plimsoll',
      post_logout_redirect_uri: `${api.url}/sign-in`,
      id_token_hint: expect.stringMatching(/^eyJ/),
    });
    // Its page asks the user.
    expect((await browser.open(url)).status).toBe(200);
  });

  it('gives no page to other sites, and none to a browser that signed in otherwise', async () => {
    const { browser } = await signInBy(provider, api, ada);
    expect((await endAtProvider(browser, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await (await endAtProvider(createBrowser())).json()).toEqual({ url: null });
    const forged = await endAtProvider(createBrowser(), { cookie: 'plimsoll_provider=AAAA' });
    expect(await forged.json()).toEqual({ url: null });
  });
});

describe('the last admin', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await startApi({ oidc: { ...oidcSettings(provider.issuer), access } });
    await setUpProvider(provider, api);
  });
  afterAll(() => api.stop());

  it('may be the first user, created by the provider; another user may not', async () => {
    expect((await signInBy(provider, api, ada)).refused).toBe('no_admin_yet');
    expect((await api.get('/api/v1/setup/status')).status).toBe(200);
    expect((await signInBy(provider, api, { ...ada, groups: ['patch-admins'] })).refused).toBeNull();
    expect((await api.get('/api/v1/setup/status')).status).toBe(404);
  });

  it('is refused when the provider no longer grants the role, and stays an admin', async () => {
    expect((await signInBy(provider, api, ada)).refused).toBe('last_admin');
    expect(await api.context.stores.users.findByEmail(adaEmail)).toMatchObject({ role: 'admin' });
  });
});

describe('with other settings', () => {
  let api: ApiUnderTest;
  afterEach(() => api.stop());

  it('claims that only the userinfo endpoint has are read there', async () => {
    let admin: string;
    ({ api, admin } = await startWithProvider(provider, {}, true));
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
    expect(await accountOf(api, admin, adaEmail)).toMatchObject({ role: 'viewer', name: 'Ada Lovelace' });
  });

  it('an account is linked by a verified e-mail address, if that is allowed', async () => {
    let admin: string;
    ({ api, admin } = await startWithProvider(provider, { linkByEmail: true }));
    await api.post('/api/v1/users', {
      token: admin,
      json: { email: adaEmail, role: 'viewer', password: 'a long password of hers' },
    });
    const local = await accountOf(api, admin, adaEmail);
    expect((await signInBy(provider, api, { ...ada, email_verified: false })).refused).toBe('email_taken');
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
    expect(await accountOf(api, admin, adaEmail)).toMatchObject({ id: local?.id, provider: provider.issuer });
    expect((await signInBy(provider, api, { ...ada, sub: 'another' })).refused).toBe('email_taken');
    const actions = (await eventsOf(api, admin, local?.id)).map(([action]: [string]) => action);
    expect(actions).toContain('user.identity_linked');
  });

  it('only verified addresses of the allowed domains sign in', async () => {
    ({ api } = await startWithProvider(provider, { emailDomains: ['example.org'] }));
    expect((await signInBy(provider, api, { ...ada, email: 'ada@example.com' })).refused).toBe(
      'email_not_allowed',
    );
    expect((await signInBy(provider, api, { ...ada, email: 'ada@evil.example.org' })).refused).toBe(
      'email_not_allowed',
    );
    expect((await signInBy(provider, api, { ...ada, email_verified: false })).refused).toBe(
      'email_not_allowed',
    );
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
  });

  it('without local accounts a password works for nobody, unless the command line allows it', async () => {
    let admin: string;
    ({ api, admin } = await startWithProvider(provider, { localAccounts: false }));
    const login = async (email: string) => {
      const json = { email, password: 'correct horse battery staple' };
      return (await api.post('/api/v1/auth/login', { json })).status;
    };
    expect((await api.get('/api/v1/auth/methods')).body.password).toBe(false);
    expect([await login(adminEmail), await login('nobody@example.org')]).toEqual([403, 403]);
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
    const user = await api.context.stores.users.findByEmail(adminEmail);
    if (user === null) throw new Error('no admin');
    const by = {
      kind: 'cli',
      id: null,
      name: 'plimsoll user emergency',
      ipAddress: null,
      requestId: null,
    } as const;
    await api.context.stores.users.allowPassword(user, 60, by);
    expect([await login(adminEmail), await login('nobody@example.org')]).toEqual([200, 403]);
    expect((await eventsOf(api, admin, user.id)).map(([action]: [string]) => action)).toContain(
      'user.emergency_allowed',
    );
    await api.context.stores.users.allowPassword(user, -1, by);
    expect(await login(adminEmail)).toBe(403);
  });

  it('without a provider its operations do not exist', async () => {
    api = await startApi();
    expect((await api.get('/api/v1/auth/methods')).body).toEqual({ password: true, oidc: null });
    expect((await api.get('/api/v1/auth/oidc/start')).status).toBe(404);
    expect((await api.get('/api/v1/auth/oidc/callback?code=x&state=y')).status).toBe(404);
  });
});
