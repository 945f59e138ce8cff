import type { TestOidcProvider } from '@plimsoll/testing';
import { type ApiUnderTest, adminEmail } from './api-under-test.ts';
import { openEvents } from './event-reader.ts';
import { type Browser, createBrowser } from './oidc/browser.ts';
import {
  accountOf,
  ada,
  adaEmail,
  eventsOf,
  listUsers,
  signInBy,
  startProvider,
  startWithProvider,
} from './oidc/provider-sign-in.ts';

let provider: TestOidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

/** A token for the session in a browser. */
async function tokenOf(api: ApiUnderTest, browser: Browser): Promise<string> {
  const cookie = `plimsoll_refresh=${browser.cookies(api.url).get('plimsoll_refresh')}`;
  const headers = { cookie, origin: api.url };
  const answer = await fetch(`${api.url}/api/v1/auth/refresh`, { method: 'POST', headers });
  return ((await answer.json()) as { token: string }).token;
}

describe('with a provider', () => {
  let api: ApiUnderTest;
  let admin: string;
  beforeAll(async () => {
    ({ api, admin } = await startWithProvider(provider));
  });
  afterAll(() => api.stop());

  it('the sign-in page offers it and says nothing more about it', async () => {
    expect((await api.get('/api/v1/auth/methods')).body).toEqual({
      password: true,
      oidc: { label: 'Company sign-on' },
    });
  });

  it('a new user is created with role and tags of the groups, and returns to the page', async () => {
    const { page, browser } = await signInBy(provider, api, ada, { query: '?back=/hosts?status=stale' });
    expect(page.url.href).toBe(`${api.url}/arrived?back=%2Fhosts%3Fstatus%3Dstale`);
    const user = await accountOf(api, admin, adaEmail);
    expect(user).toMatchObject({
      name: 'Ada Lovelace',
      role: 'viewer',
      tags: ['web'],
      provider: provider.issuer,
      disabled: false,
    });
    const events = await eventsOf(api, admin, user?.id);
    expect(events.map(([action]: [string]) => action)).toEqual(['user.logged_in', 'user.created']);
    expect(events[0][1]).toMatchObject({ method: 'oidc' });
    // Neither token nor code is in an address of the dashboard.
    expect(page.way.at(-1)).not.toMatch(/code|token|state/);
    expect([...browser.cookies(api.url).keys()].filter((name) => name.includes('sign-in'))).toEqual([]);
  });

  it('the session is in the refresh cookie alone, which gives a token to the dashboard', async () => {
    const { browser } = await signInBy(provider, api, ada);
    const set = browser.received.find((line) => line.startsWith('plimsoll_refresh='));
    expect(set).toMatch(/; HttpOnly; SameSite=Strict$/);
    const token = await tokenOf(api, browser);
    expect((await api.get('/api/v1/auth/me', { token })).body.email).toBe(adaEmail);
    expect((await api.get('/api/v1/sessions', { token })).body[0]).toMatchObject({
      method: 'oidc',
      kind: 'browser',
    });
  });

  it('the request for the provider has PKCE, state and nonce, and its cookie is HttpOnly, Lax and short', async () => {
    const answer = await fetch(`${api.url}/api/v1/auth/oidc/start`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      client_id: 'plimsoll',
      response_type: 'code',
      redirect_uri: `${api.url}/api/v1/auth/oidc/callback`,
      scope: 'openid profile email groups',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^plimsoll-sign-in-[\w-]{12}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    for (const secret of [asked.get('state'), asked.get('nonce')]) expect(cookie).not.toContain(secret);
  });

  it('role and tags are evaluated at each sign-in; a change of the role ends the sessions', async () => {
    await signInBy(provider, api, { ...ada, groups: ['web-team', 'shop-team'] });
    expect(await accountOf(api, admin, adaEmail)).toMatchObject({ role: 'viewer', tags: ['shop', 'web'] });
    await signInBy(provider, api, {
      ...ada,
      groups: ['web-team', 'CN=db,OU=teams', '/ops, night'],
      name: 'Ada L.',
    });
    const user = await accountOf(api, admin, adaEmail);
    expect(user).toMatchObject({ role: 'operator', tags: null, name: 'Ada L.' });
    expect((await eventsOf(api, admin, user?.id)).slice(0, 2)).toEqual([
      ['user.logged_in', expect.objectContaining({ method: 'oidc' })],
      [
        'user.updated',
        expect.objectContaining({
          role: { from: 'viewer', to: 'operator' },
          tags: { from: ['shop', 'web'], to: null },
        }),
      ],
    ]);
  });

  it('a user whom no group gives a role is refused, not a viewer, and loses the sessions', async () => {
    const before = await api.context.stores.users.findByEmail(adaEmail);
    expect((await signInBy(provider, api, { ...ada, groups: ['everyone'] })).refused).toBe('no_access');
    const after = await api.context.stores.users.findByEmail(adaEmail);
    expect(after?.tokenGeneration).toBe((before?.tokenGeneration ?? 0) + 1);
    const known = (await listUsers(api, admin)).length;
    expect(
      (await signInBy(provider, api, { sub: 'eve', email: 'eve@example.org', groups: [] })).refused,
    ).toBe('no_access');
    expect((await signInBy(provider, api, { sub: 'eve', email: 'eve@example.org' })).refused).toBe(
      'no_access',
    );
    expect(await listUsers(api, admin)).toHaveLength(known);
  });

  it('API keys of a user without access do not work until the provider grants a role again', async () => {
    const { browser } = await signInBy(provider, api, ada);
    const token = await tokenOf(api, browser);
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const json = { name: 'nightly', role: 'viewer', expires_at };
    const { key } = (await api.post('/api/v1/api-keys', { token, json })).body;
    const ask = async () => (await api.get('/api/v1/hosts', { token: key })).status;
    expect(await ask()).toBe(200);
    const events = await openEvents(api.url, key);
    // A provider that says nothing about groups makes a mistake, perhaps.
    const { groups: _, ...unknown } = ada;
    expect((await signInBy(provider, api, unknown)).refused).toBe('no_access');
    expect(await ask()).toBe(200);
    for (let n = 0; n < 2; n += 1) {
      expect((await signInBy(provider, api, { ...ada, groups: ['everyone'] })).refused).toBe('no_access');
      expect(await ask()).toBe(401);
    }
    await events.untilOver();
    const user = await accountOf(api, admin, adaEmail);
    expect(user?.access_withdrawn_at).toEqual(expect.any(String));
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
    expect(await ask()).toBe(200);
    expect((await accountOf(api, admin, adaEmail))?.access_withdrawn_at).toBeNull();
    const actions = (await eventsOf(api, admin, user?.id)).map(([action]: [string]) => action);
    expect(actions.filter((action: string) => action.startsWith('user.access_'))).toEqual([
      'user.access_restored',
      'user.access_withdrawn',
      // From the test before.
      'user.access_restored',
      'user.access_withdrawn',
    ]);
  });

  it('a user without an e-mail address is refused', async () => {
    expect((await signInBy(provider, api, { sub: 'bob', groups: ['web-team'] })).refused).toBe('no_email');
  });

  it('a user who cancels is told so', async () => {
    expect((await signInBy(provider, api, null)).refused).toBe('denied');
  });

  it('an account with the same e-mail address is not taken over', async () => {
    const eve = { sub: 'eve', email: adminEmail, email_verified: true, groups: ['web-team'] };
    expect((await signInBy(provider, api, eve)).refused).toBe('email_taken');
    expect(await accountOf(api, admin, adminEmail)).toMatchObject({ role: 'admin', provider: null });
    // Another subject with the address of a known user is another person.
    const namesake = { ...ada, sub: 'ada-2' };
    expect((await signInBy(provider, api, namesake)).refused).toBe('email_taken');
  });

  it('a user keeps the account when the e-mail address changes', async () => {
    const before = await accountOf(api, admin, adaEmail);
    await signInBy(provider, api, { ...ada, email: 'ada.king@example.org' });
    const after = await accountOf(api, admin, 'ada.king@example.org');
    expect(after?.id).toBe(before?.id);
    // An address that another user has stays with that user.
    await signInBy(provider, api, { ...ada, email: adminEmail });
    expect((await accountOf(api, admin, 'ada.king@example.org'))?.id).toBe(before?.id);
    await signInBy(provider, api, ada);
  });

  it('a disabled user is refused until an admin enables the account', async () => {
    const user = await accountOf(api, admin, adaEmail);
    await api.patch(`/api/v1/users/${user?.id}`, { token: admin, json: { disabled: true } });
    expect((await signInBy(provider, api, ada)).refused).toBe('disabled');
    await api.patch(`/api/v1/users/${user?.id}`, { token: admin, json: { disabled: false } });
    expect((await signInBy(provider, api, ada)).refused).toBeNull();
  });

  it('a user of the provider has no password', async () => {
    const { browser } = await signInBy(provider, api, ada);
    const waysOf = async (token: string) => (await api.get('/api/v1/auth/second-factor', { token })).body;
    expect(await waysOf(await tokenOf(api, browser))).toMatchObject({
      has_password: false,
      single_sign_on: 'Company sign-on',
    });
    expect(await waysOf(admin)).toMatchObject({ has_password: true, single_sign_on: null });
    const answer = await api.post('/api/v1/auth/login', { json: { email: adaEmail, password: '' } });
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials']);
  });

  it('the answer works once, in the browser that started the sign-in', async () => {
    await provider.choose(ada);
    const browser = createBrowser();
    const callback = `${api.url}/api/v1/auth/oidc/callback`;
    const { url } = await browser.open(`${api.url}/api/v1/auth/oidc/start`, { stopAt: callback });
    const cookies = new Map(browser.cookies(api.url));
    const elsewhere = await createBrowser().open(url.href);
    expect(elsewhere.url.searchParams.get('refused')).toBe('expired');
    expect((await browser.open(url.href)).url.href).toBe(`${api.url}/arrived`);
    // The same cookie and code a second time, as after a theft of both.
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const replayed = await fetch(url, { redirect: 'manual', headers: { cookie } });
    expect(replayed.headers.get('location')).toBe('/sign-in?refused=expired');
  });

  it('two tabs sign in at the same time', async () => {
    await provider.choose(ada);
    const browser = createBrowser();
    const callback = `${api.url}/api/v1/auth/oidc/callback`;
    const first = await browser.open(`${api.url}/api/v1/auth/oidc/start?back=/hosts`, { stopAt: callback });
    const second = await browser.open(`${api.url}/api/v1/auth/oidc/start?back=/packages`, {
      stopAt: callback,
    });
    expect((await browser.open(first.url.href)).url.searchParams.get('back')).toBe('/hosts');
    expect((await browser.open(second.url.href)).url.searchParams.get('back')).toBe('/packages');
  });

  it('a browser keeps few cookies, however many sign-ins it starts', async () => {
    await provider.choose(ada);
    const browser = createBrowser();
    const callback = `${api.url}/api/v1/auth/oidc/callback`;
    for (let n = 0; n < 12; n += 1)
      await browser.open(`${api.url}/api/v1/auth/oidc/start`, { stopAt: callback });
    expect(browser.cookies(api.url).size).toBeLessThanOrEqual(5);
  });

  it('the provider is asked to authenticate a user anew, if that is wanted', async () => {
    const browser = createBrowser();
    await signInBy(provider, api, ada, { browser });
    const before = await provider.interactions();
    await signInBy(provider, api, ada, { browser });
    expect(await provider.interactions()).toBe(before);
    expect((await signInBy(provider, api, ada, { browser, query: '?again=true' })).refused).toBeNull();
    expect(await provider.interactions()).toBe(before + 1);
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/..//evil.example',
    '/%09/evil.example/../..//evil.example',
    'javascript:alert(1)',
    '/api/v1/auth/oidc/start',
    '/hosts\\@evil.example',
  ])('the way back %s leads nowhere else', async (back) => {
    const { page } = await signInBy(provider, api, ada, { query: `?back=${encodeURIComponent(back)}` });
    expect(page.url.origin + page.url.pathname).toBe(`${api.url}/arrived`);
    const leads = new URL(page.url.searchParams.get('back') ?? '/', api.url);
    expect([leads.origin, leads.pathname]).toEqual([api.url, expect.not.stringMatching(/evil|^\/\/|^\/api/)]);
  });
});
