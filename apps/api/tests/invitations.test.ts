import { adminEmail, apiPerFile, enrol, setUp, startApi } from './api-under-test.ts';

const api = apiPerFile();

const password = 'a password chosen in private';
const invite = (json: Record<string, unknown>, token = api.admin.token) =>
  api.post('/api/v1/users/invitations', { token, json });
const accept = (json: Record<string, unknown>) => api.post('/api/v1/auth/accept-invitation', { json });

/** Lets an invitation expire, as if it had been made earlier. */
const expire = (id: string) =>
  api.database.db.pool.query(
    `UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`,
    [id],
  );

describe('an invitation', () => {
  it('makes a user with the role and tags that the admin chose and the password that the invited person chose', async () => {
    const issued = await invite({ email: 'Eve@Example.org', name: 'Eve', role: 'operator', tags: ['web'] });
    expect(issued.status).toBe(201);
    const { token, url, ...shown } = issued.body;
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/accept-invitation#${token}$`));
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(72 * 3_600_000);
    expect(shown).toMatchObject({ email: 'eve@example.org', invited_by: adminEmail, tags: ['web'] });
    expect((await api.admin.get('/api/v1/users/invitations')).body).toEqual([shown]);
    const accepted = await accept({ token, password });
    expect(accepted.status).toBe(201);
    expect(accepted.body.user).toMatchObject({
      email: 'eve@example.org',
      name: 'Eve',
      role: 'operator',
      tags: ['web'],
    });
    const me = await api.get('/api/v1/auth/me', { token: accepted.body.token });
    expect(me.body).toEqual(accepted.body.user);
    const json = { email: 'eve@example.org', password };
    expect((await api.post('/api/v1/auth/login', { json })).status).toBe(200);
    expect((await api.admin.get('/api/v1/users/invitations')).body).toEqual([]);
    const sessions = await api.get('/api/v1/sessions', { token: accepted.body.token });
    expect(sessions.body.map((row: { method: string }) => row.method).sort()).toEqual([
      'invitation',
      'password',
    ]);
  });

  it('is accepted once, also by requests at the same time', async () => {
    const { token } = (await invite({ email: 'once@example.org', role: 'viewer' })).body;
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => accept({ token, password })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await accept({ token, password })).status).toBe(404);
  });

  it('with a bad password stays open, and says what is wrong', async () => {
    const { token } = (await invite({ email: 'grace.hopper@example.org', role: 'viewer' })).body;
    const made = await accept({ token, password: 'gracehopper1906' });
    expect([made.status, made.body.errors[0].pointer]).toEqual([422, '/password']);
    expect((await accept({ token, password: '123456789012' })).status).toBe(422);
    expect((await accept({ token, password: 'short' })).status).toBe(422);
    expect((await accept({ token, password, refresh_cookie: true })).headers['set-cookie']?.[0]).toMatch(
      /^plimsoll_refresh=plf_/,
    );
  });

  it.each<[string, (issued: { id: string; token: string }) => Promise<unknown>]>([
    ['revoked', ({ id }) => api.admin.delete(`/api/v1/users/invitations/${id}`)],
    ['expired', ({ id }) => expire(id)],
    ['replaced by a newer one', () => invite({ email: 'late@example.org', role: 'viewer' })],
  ])('that was %s is void', async (_, end) => {
    const { body } = await invite({ email: 'late@example.org', role: 'viewer' });
    await end(body);
    expect((await accept({ token: body.token, password })).body.code).toBe('not_found');
    const json = { email: 'late@example.org', password };
    expect((await api.post('/api/v1/auth/login', { json })).status).toBe(401);
  });

  it('is void when a user has the address by then', async () => {
    const { body } = await invite({ email: 'taken@example.org', role: 'admin' });
    const json = { email: 'taken@example.org', role: 'viewer', password };
    expect((await api.admin.post('/api/v1/users', { json })).status).toBe(201);
    expect((await accept({ token: body.token, password })).status).toBe(409);
    expect((await invite(json)).status).toBe(422);
    expect((await invite({ email: 'taken@example.org', role: 'viewer' })).status).toBe(409);
  });

  it.each([
    ['no token', () => ''],
    ['an unknown token', () => `pli_${'A'.repeat(43)}`],
    ['the hash of a token', (_: string, hash: string) => hash],
    ['an access token', (token: string) => token],
  ])('is not accepted by %s', async (_, of) => {
    await invite({ email: 'dump@example.org', role: 'admin' });
    const { rows } = await api.database.db.pool.query(
      `SELECT encode(token_hash, 'hex') AS hash FROM invitations`,
    );
    expect((await accept({ token: of(api.admin.token.slice(0, 200), rows[0].hash), password })).status).toBe(
      404,
    );
  });

  it('has a token that is no credential elsewhere', async () => {
    const { token } = (await invite({ email: 'else@example.org', role: 'admin' })).body;
    expect((await api.get('/api/v1/auth/me', { token })).status).toBe(401);
    expect((await api.admin.get(`/api/v1/hosts?q=${token}`)).status).toBe(401);
    const host = await enrol(api);
    expect((await accept({ token: host.token, password })).status).toBe(404);
  });

  it('cannot be guessed without a limit', async () => {
    const limited = await startApi({
      loginLimits: { ...api.context.settings.loginLimits, failuresPerAddress: 5 },
    });
    try {
      await setUp(limited);
      const statuses: number[] = [];
      for (let n = 0; n < 7; n += 1) {
        const json = { token: `pli_${String(n).repeat(43)}`, password };
        statuses.push((await limited.post('/api/v1/auth/accept-invitation', { json })).status);
      }
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    } finally {
      await limited.stop();
    }
  });
});

describe('/.well-known/security.txt', () => {
  it('is not found without a contact', async () => {
    expect((await api.get('/.well-known/security.txt')).status).toBe(404);
  });

  it('names the contact of the settings, for less than a year', async () => {
    const own = await startApi({
      securityContact: 'mailto:security@example.org',
      publicUrl: 'https://p.example',
    });
    try {
      const { text, headers } = await own.get('/.well-known/security.txt');
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      const fields = new Map(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      expect(fields.get('Contact')).toBe('mailto:security@example.org');
      expect(fields.get('Canonical')).toBe('https://p.example/.well-known/security.txt');
      const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
      expect([days > 30, days < 365]).toEqual([true, true]);
    } finally {
      await own.stop();
    }
  });
});
