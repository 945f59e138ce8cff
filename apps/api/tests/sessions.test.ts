import { createMetrics } from '@plimsoll/process';
import type { ApiSettings } from '../src/context.ts';
import { createApp } from '../src/create-app.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { adminEmail, adminPassword, apiPerFile, jwtSecretKey, setUp, startApi } from './api-under-test.ts';
import { type CheckedClient, createCheckedClient, readPages, userClient } from './checked-client.ts';
import { createUser, userPassword } from './users.ts';

const api = apiPerFile();

const ours = { 'Sec-Fetch-Site': 'same-origin' };

/** Signs in as the dashboard does. */
async function signIn(email: string, on: CheckedClient = api) {
  const json = { email, password: email === adminEmail ? adminPassword : userPassword, refresh_cookie: true };
  const answer = await on.post('/api/v1/auth/login', { json });
  expect(answer.status).toBe(200);
  return { token: answer.body.token as string, cookie: cookieOf(answer), answer };
}

/** The value of the refresh cookie that an answer sets, as the browser sends it. */
function cookieOf(answer: { headers: Record<string, unknown> }): string {
  const [header] = answer.headers['set-cookie'] as string[];
  return header?.split(';')[0] ?? '';
}

const refresh = (cookie: string, headers: Record<string, string> = ours, on: CheckedClient = api) =>
  on.post('/api/v1/auth/refresh', { headers: { Cookie: cookie, ...headers } });

const statusOf = async (token: string) => (await api.get('/api/v1/auth/me', { token })).status;

/** The same API with other settings. */
const withSettings = (settings: Partial<ApiSettings>): CheckedClient =>
  createCheckedClient(
    createHttpServer(
      createApp({
        ...api.context,
        metrics: createMetrics(),
        settings: { ...api.context.settings, ...settings },
      }),
    ),
  );

/** Moves the stored times of a session, as if they had been written earlier: the database clock cannot be changed. */
async function later(token: string, seconds: number) {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  await api.database.db.pool.query(
    `UPDATE sessions SET rotated_at = rotated_at - make_interval(secs => $2),
       idle_ends_at = idle_ends_at - make_interval(secs => $2), ends_at = ends_at - make_interval(secs => $2) WHERE id = $1`,
    [sid, seconds],
  );
}

describe('a sign-in', () => {
  it('without a refresh cookie answers as ever: a token, its end and the user', async () => {
    const answer = await api.post('/api/v1/auth/login', {
      json: { email: adminEmail, password: adminPassword },
    });
    expect(Object.keys(answer.body).sort()).toEqual(['expires_at', 'token', 'user']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const minutes = (Date.parse(answer.body.expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(60);
  });

  it('with one sets a cookie that only the refresh gets, and a short token', async () => {
    const { answer } = await signIn(adminEmail);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^plimsoll_refresh=plf_[\w.-]+; Max-Age=\d+; Path=\/api\/v1\/auth\/refresh; HttpOnly; SameSite=Strict$/,
    );
    expect(Object.keys(answer.body).sort()).toEqual(['expires_at', 'token', 'user']);
    expect(Date.parse(answer.body.expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(JSON.stringify(answer.body)).not.toContain('plf_');
  });

  it('over https sets a cookie that only https sends', async () => {
    const proxied = await startApi({ trustedProxies: ['127.0.0.0/8', '::1'] });
    try {
      await setUp(proxied);
      const json = { email: adminEmail, password: adminPassword, refresh_cookie: true };
      const headers = { 'X-Forwarded-Proto': 'https' };
      const answer = await proxied.post('/api/v1/auth/login', { json, headers });
      expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure; /);
    } finally {
      await proxied.stop();
    }
  });
});

describe('a refresh', () => {
  it('gives another token of the same session, and another cookie', async () => {
    const first = await signIn(adminEmail);
    const second = await refresh(first.cookie);
    expect(second.status).toBe(200);
    expect(second.body.user).toEqual(first.answer.body.user);
    expect(cookieOf(second)).not.toBe(first.cookie);
    expect(await statusOf(second.body.token)).toBe(200);
    const third = await refresh(cookieOf(second));
    expect(third.status).toBe(200);
    const { body } = await api.get('/api/v1/sessions', { token: third.body.token });
    const own = body.filter((row: { current: boolean }) => row.current);
    expect(own).toMatchObject([{ kind: 'browser', method: 'password' }]);
  });

  it('gives tabs that ask at the same time, and one whose answer was lost, the same successor', async () => {
    const { cookie, token } = await signIn(adminEmail);
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(cookie)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(cookieOf)).size).toBe(1);
    await later(token, 25);
    const late = await refresh(cookie);
    expect([late.status, cookieOf(late)]).toEqual([200, cookieOf(answers[0] ?? late)]);
    expect((await refresh(cookieOf(late))).status).toBe(200);
  });

  it('with a token that was used more than 30 seconds ago ends the session of both who have it', async () => {
    const { cookie, token } = await signIn(adminEmail);
    const thief = await refresh(cookie);
    await later(token, 31);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(cookieOf(thief))).status).toBe(401);
    expect([await statusOf(token), await statusOf(thief.body.token)]).toEqual([401, 401]);
    const events = await api.admin.get('/api/v1/audit-events?action=session.token_reused');
    expect(events.body[0]).toMatchObject({ actor_kind: 'system', target_name: adminEmail });
  });

  it('with a token of two refreshes ago ends it, too', async () => {
    const { cookie } = await signIn(adminEmail);
    const second = await refresh(cookie);
    const third = await refresh(cookieOf(second));
    expect(third.status).toBe(200);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(cookieOf(third))).status).toBe(401);
  });

  it.each([
    ['no cookie', () => ''],
    ['another text', () => 'plimsoll_refresh=x'],
    ['a forged signature', (cookie: string) => `${cookie.slice(0, -3)}AAA`],
    ['another session', (cookie: string) => cookie.replace(/plf_.{8}/, 'plf_00000000')],
    ['the access token', (_: string, token: string) => `plimsoll_refresh=${token}`],
  ])('with %s is refused and ends nothing', async (_, change) => {
    const { cookie, token } = await signIn(adminEmail);
    expect((await refresh(change(cookie, token))).body.code).toBe('unauthenticated');
    expect((await refresh(cookie)).status).toBe(200);
  });

  it.each<[string, Record<string, string>, number]>([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a page of another port', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['an address bar', { 'Sec-Fetch-Site': 'none' }, 403],
    ['a client that says nothing', {}, 403],
    ['another origin', { Origin: 'https://evil.example' }, 403],
    ['a host that is none', { Origin: 'http://a:b:c', Host: 'a:b:c' }, 400],
    ['an opaque origin', { Origin: 'null' }, 403],
    [
      'a page of this service without TLS',
      { Origin: 'http://plimsoll.lan:8080', Host: 'plimsoll.lan:8080' },
      200,
    ],
  ])('by %s is answered as it must be', async (_, headers, status) => {
    const { cookie } = await signIn(adminEmail);
    expect((await refresh(cookie, headers)).status).toBe(status);
  });

  it('behind a proxy without TLS that replaces the host, works with the setting public_url alone', async () => {
    const publicUrl = 'http://plimsoll.lan:8080';
    const headers = { Origin: publicUrl, Host: 'backend:3000' };
    const { cookie } = await signIn(adminEmail);
    expect((await refresh(cookie, headers)).status).toBe(403);
    expect((await refresh(cookie, headers, withSettings({ publicUrl }))).status).toBe(200);
    const other = { ...headers, Origin: 'http://evil.lan:8080' };
    expect((await refresh(cookie, other, withSettings({ publicUrl }))).status).toBe(403);
  });

  it('cookie is no credential elsewhere, and an access token none for a refresh', async () => {
    const { cookie } = await signIn(adminEmail);
    const value = cookie.replace('plimsoll_refresh=', '');
    expect((await api.get('/api/v1/auth/me', { headers: { Cookie: cookie } })).status).toBe(401);
    expect(await statusOf(value)).toBe(401);
  });
});

describe('a session', () => {
  it('ends when it was idle too long', async () => {
    const { cookie, token } = await signIn(adminEmail);
    await later(token, 3599);
    const again = await refresh(cookie);
    expect(again.status).toBe(200);
    await later(token, 3601);
    expect([await statusOf(again.body.token), (await refresh(cookieOf(again))).status]).toEqual([401, 401]);
  });

  it('ends after its lifetime, however often it is refreshed', async () => {
    const { cookie, token } = await signIn(adminEmail);
    let at = cookie;
    for (let n = 0; n < 11; n += 1) {
      await later(token, 3300);
      const again = await refresh(at);
      if (again.status === 401) {
        expect(n).toBe(10);
        return;
      }
      at = cookieOf(again);
    }
    throw new Error('the session did not end');
  });

  it('has no token that outlives it', async () => {
    const { cookie, token } = await signIn(adminEmail);
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    await api.database.db.pool.query(
      `UPDATE sessions SET ends_at = now() + interval '9 seconds' WHERE id = $1`,
      [sid],
    );
    const { body } = await refresh(cookie);
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(9_000);
  });

  it('does not depend on the clock of the process', async () => {
    let clock = new Date();
    const skewed = await startApi({}, () => clock);
    try {
      await setUp(skewed);
      const { token, cookie } = await signIn(adminEmail, skewed);
      for (const jump of [86_400_000, -86_400_000 * 365]) {
        clock = new Date(Date.now() + jump);
        expect((await skewed.get('/api/v1/auth/me', { token })).status).toBe(200);
        const started = await signIn(adminEmail, skewed);
        expect(Math.abs(Date.parse(started.answer.body.expires_at) - Date.now() - 600_000)).toBeLessThan(
          60_000,
        );
      }
      expect((await refresh(cookie, ours, skewed)).status).toBe(200);
    } finally {
      await skewed.stop();
    }
  });

  it('is ended by a logout, with its cookie', async () => {
    const { cookie, token } = await signIn(adminEmail);
    const answer = await api.post('/api/v1/auth/logout', { token });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^plimsoll_refresh=; Max-Age=0; Path=\/api\/v1\/auth\/refresh;/,
    );
    expect((await refresh(cookie)).status).toBe(401);
  });

  it('ends with a changed password', async () => {
    const { email } = await createUser(api, 'viewer');
    const { cookie, token } = await signIn(email);
    const json = { current_password: userPassword, new_password: 'a third, very long password' };
    expect((await api.post('/api/v1/auth/password', { token, json })).status).toBe(204);
    expect([await statusOf(token), (await refresh(cookie)).status]).toEqual([401, 401]);
  });
});

describe('the list of sessions', () => {
  it("has one's own, and marks the one of the request", async () => {
    const { id, email } = await createUser(api, 'viewer');
    const [one, other] = [await signIn(email), await signIn(email)];
    const answer = await api.get('/api/v1/sessions', {
      token: one.token,
      headers: { 'User-Agent': 'Firefox' },
    });
    expect(answer.headers['x-total-count']).toBe('2');
    expect(answer.body.map((row: { current: boolean }) => row.current)).toEqual([false, true]);
    for (const row of answer.body) expect([row.user_id, row.user_email]).toEqual([id, email]);
    expect((await api.get(`/api/v1/sessions?user_id=${id}`, { token: other.token })).body).toHaveLength(2);
    const pages = await readPages(userClient(api, one.token), '/api/v1/sessions?limit=1');
    expect(pages.map(({ body }) => body[0].id)).toEqual(answer.body.map((row: { id: string }) => row.id));
  });

  it('has those of others for an admin alone', async () => {
    const [{ id, email }, stranger] = [await createUser(api, 'viewer'), await createUser(api, 'operator')];
    const theirs = await signIn(email);
    const { token } = await signIn(stranger.email);
    expect((await api.get(`/api/v1/sessions?user_id=${id}`, { token })).status).toBe(404);
    const seen = await api.admin.get(`/api/v1/sessions?user_id=${id}`);
    expect(seen.body).toHaveLength(1);
    const path = `/api/v1/sessions/${seen.body[0].id}`;
    expect((await api.delete(path, { token })).status).toBe(404);
    expect((await api.delete(`/api/v1/sessions?user_id=${id}`, { token })).status).toBe(404);
    expect(await statusOf(theirs.token)).toBe(200);
    expect((await api.admin.delete(path)).status).toBe(204);
    expect([await statusOf(theirs.token), (await refresh(theirs.cookie)).status]).toEqual([401, 401]);
    expect((await api.admin.delete(path)).status).toBe(404);
  });

  it('is emptied but for the current one, or wholly', async () => {
    const { email } = await createUser(api, 'viewer');
    const [one, other] = [await signIn(email), await signIn(email)];
    expect((await api.delete('/api/v1/sessions?keep_current=true', { token: one.token })).status).toBe(204);
    expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([200, 401]);
    expect((await api.delete('/api/v1/sessions', { token: one.token })).status).toBe(204);
    expect(await statusOf(one.token)).toBe(401);
  });
});

describe('a database dump', () => {
  it('has no value that is accepted as a refresh token or access token', async () => {
    const { cookie } = await signIn(adminEmail);
    await refresh(cookie);
    const { rows } = await api.database.db.pool.query('SELECT to_jsonb(s) AS row FROM sessions s');
    const texts = rows.flatMap(({ row }) => Object.values(row).filter((value) => typeof value === 'string'));
    expect(texts.length).toBeGreaterThan(10);
    const forms = texts.flatMap((text: string) => {
      const bytes = Buffer.from(text.replace(/^\\x/, ''), 'hex');
      return [text, bytes.toString('base64url'), bytes.toString('hex')];
    });
    for (const value of new Set(forms)) {
      expect((await refresh(`plimsoll_refresh=${encodeURIComponent(value)}`)).status).toBe(401);
      if (/^[\w-]+$/.test(value)) expect(await statusOf(value)).toBe(401);
    }
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
  });
});

describe('a changed key', () => {
  it('accepts tokens and cookies of the one before, while it is set as the previous one', async () => {
    const { cookie, token } = await signIn(adminEmail);
    const used = await refresh(cookie);
    const rotated = withSettings({ jwtSecretKey: 'b'.repeat(32), previousJwtSecretKey: jwtSecretKey });
    const foreign = withSettings({ jwtSecretKey: 'b'.repeat(32) });
    expect((await rotated.get('/api/v1/auth/me', { token })).status).toBe(200);
    expect((await foreign.get('/api/v1/auth/me', { token })).status).toBe(401);
    expect((await refresh(cookieOf(used), ours, foreign)).status).toBe(401);
    // An answer of before the change was lost.
    expect(cookieOf(await refresh(cookie, ours, rotated))).toBe(cookieOf(used));
    const next = await refresh(cookieOf(used), ours, rotated);
    expect(next.status).toBe(200);
    expect((await refresh(cookieOf(next), ours, foreign)).status).toBe(200);
    expect((await foreign.get('/api/v1/auth/me', { token: next.body.token })).status).toBe(200);
  });
});
