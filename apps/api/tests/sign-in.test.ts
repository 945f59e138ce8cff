import jwt from 'jsonwebtoken';
import { passwordCost } from '../src/auth/passwords.ts';
import { adminEmail, adminPassword, apiPerFile, emptyApiPer, jwtSecretKey } from './api-under-test.ts';

const api = emptyApiPer('file');

describe('setup', () => {
  it('is required while no user exists', async () => {
    const answer = await api.get('/api/v1/setup/status');
    expect(answer.body).toEqual({ setup_required: true });
  });

  it.each([
    ['no body', undefined, 400],
    ['an empty object', {}, 422],
    ['a short password', { email: adminEmail, password: 'eleven char' }, 422],
    ['a field it does not know', { email: adminEmail, password: adminPassword, role: 'admin' }, 422],
    ['an array', [], 422],
  ])('refuses %s', async (_, json, status) => {
    expect((await api.post('/api/v1/setup/complete', { json })).status).toBe(status);
  });

  it('names every invalid field by its pointer', async () => {
    const answer = await api.post('/api/v1/setup/complete', {
      json: { email: 'nobody', passwort: 'x', 'a/b~c': 1 },
    });
    expect(answer.body.errors).toEqual([
      { pointer: '/email', detail: 'must be an e-mail address' },
      { pointer: '/password', detail: 'is required' },
      { pointer: '/passwort', detail: 'is not known' },
      { pointer: '/a~1b~0c', detail: 'is not known' },
    ]);
  });

  it('succeeds for exactly one of fifty simultaneous requests, and is then closed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        api.post('/api/v1/setup/complete', {
          json: { email: `admin${n}@example.org`, password: adminPassword },
        }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
      Array(49).fill('setup_complete'),
    );
    expect(winners[0]?.body.user.role).toBe('admin');
    for (const answer of [
      await api.get('/api/v1/setup/status'),
      await api.post('/api/v1/setup/complete', { json: { email: adminEmail, password: adminPassword } }),
      await api.post('/api/v1/setup/complete', { json: {} }),
      await api.post('/api/v1/setup/complete'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'setup_complete']);
    }
  });
});

describe('a signed-in user', () => {
  const own = apiPerFile();

  const signIn = async (password = adminPassword, email = adminEmail) =>
    own.post('/api/v1/auth/login', { json: { email, password } });

  it('signs in with e-mail and password, whatever the case of the e-mail', async () => {
    const answer = await signIn(adminPassword, 'ADMIN@Example.org');
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ email: adminEmail, name: 'Ada', role: 'admin' });
    expect((await own.get('/api/v1/auth/me', { token: answer.body.token })).body).toEqual(answer.body.user);
  });

  it('gets the same answer for a wrong e-mail as for a wrong password', async () => {
    const [wrongPassword, wrongEmail] = [
      await signIn('wrong password here'),
      await signIn(adminPassword, 'eve@example.org'),
    ];
    const { request_id: _a, ...first } = wrongPassword.body;
    const { request_id: _b, ...second } = wrongEmail.body;
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 401, code: 'invalid_credentials', errors: [] });
  });

  it.each([
    ['not JSON', '{', 400, 'invalid_json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_json'],
    ['a field twice wrong', '{"email":1}', 422, 'validation_failed'],
    ['an invalid e-mail', '{"email":"admin","password":"x"}', 422, 'validation_failed'],
    [
      'too much',
      JSON.stringify({ email: adminEmail, password: 'x'.repeat(70_000) }),
      413,
      'payload_too_large',
    ],
  ])('is refused a body that is %s', async (_, body, status, code) => {
    const answer = await own.post('/api/v1/auth/login', {
      bytes: Buffer.from(body),
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/problem+json',
  ])('is refused the content type %s', async (type) => {
    const answer = await own.post('/api/v1/auth/login', {
      bytes: Buffer.from('{}'),
      headers: { 'Content-Type': type },
    });
    expect(answer.body.code).toBe('unsupported_media_type');
  });

  it('is refused a compressed sign-in', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await own.post('/api/v1/auth/login', { bytes: Buffer.from('{}'), headers })).status).toBe(415);
  });

  it('is signed out for good by a logout, of this token only', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect((await own.post('/api/v1/auth/logout', { token: one.body.token })).status).toBe(204);
    expect((await own.get('/api/v1/auth/me', { token: one.body.token })).body.code).toBe('unauthenticated');
    expect((await own.get('/api/v1/auth/me', { token: other.body.token })).status).toBe(200);
  });

  it('is refused any query, so that tokens stay out of URLs', async () => {
    expect((await own.admin.get('/api/v1/auth/me?verbose=1')).body.errors).toEqual([
      { pointer: '/verbose', detail: 'is not known' },
    ]);
    for (const query of [
      `access_token=${own.admin.token}`,
      `token=${own.admin.token}`,
      `q=${own.admin.token}`,
      'jwt=x',
    ]) {
      expect((await own.get(`/api/v1/auth/me?${query}`)).body.code).toBe('unauthenticated');
      expect((await own.admin.get(`/api/v1/auth/me?${query}`)).body.code).toBe('unauthenticated');
    }
  });

  describe('with a token', () => {
    const claims = () => {
      const { exp: _exp, ...rest } = jwt.verify(own.admin.token, jwtSecretKey) as jwt.JwtPayload; // made by the test
      return rest;
    };
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

    it.each<[string, () => string | undefined]>([
      ['that is missing', () => undefined],
      ['that is empty', () => ''],
      ['that is no JWT', () => 'abc'],
      [
        'of alg none',
        () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ ...claims(), exp: inAnHour() })}.`,
      ],
      [
        'of alg None with a signature',
        () => `${base64({ alg: 'None', typ: 'JWT' })}.${base64({ ...claims(), exp: inAnHour() })}.AAAA`,
      ],
      [
        'signed with HS384',
        () => jwt.sign({ ...claims(), exp: inAnHour() }, jwtSecretKey, { algorithm: 'HS384' }),
      ],
      [
        'signed with HS512',
        () => jwt.sign({ ...claims(), exp: inAnHour() }, jwtSecretKey, { algorithm: 'HS512' }),
      ],
      [
        'signed with another key',
        () => jwt.sign({ ...claims(), exp: inAnHour() }, 'another secret of more than 32 bytes!'),
      ],
      [
        'that has expired',
        () => jwt.sign({ ...claims(), iat: 1, exp: Math.floor(Date.now() / 1000) - 1 }, jwtSecretKey),
      ],
      ['that never expires', () => jwt.sign(claims(), jwtSecretKey)],
      ['of another issuer', () => jwt.sign({ ...claims(), iss: 'other', exp: inAnHour() }, jwtSecretKey)],
      ['for another audience', () => jwt.sign({ ...claims(), aud: 'other', exp: inAnHour() }, jwtSecretKey)],
      [
        'of a user that does not exist',
        () =>
          jwt.sign(
            { ...claims(), sub: '019a0000-0000-7000-8000-000000000000', exp: inAnHour() },
            jwtSecretKey,
          ),
      ],
      ['of an older generation', () => jwt.sign({ ...claims(), gen: -1, exp: inAnHour() }, jwtSecretKey)],
      [
        'without a generation',
        () => jwt.sign({ ...claims(), gen: undefined, exp: inAnHour() }, jwtSecretKey),
      ],
      [
        'whose subject is SQL',
        () => jwt.sign({ ...claims(), sub: "' OR 1=1", exp: inAnHour() }, jwtSecretKey),
      ],
      [
        'that was tampered with',
        () => own.admin.token.replace(/(?<=\..{9})./, (letter) => (letter === 'x' ? 'y' : 'x')),
      ],
    ])('%s is unauthenticated', async (_, make) => {
      const forged = make();
      const answer = await own.get('/api/v1/auth/me', forged === undefined ? {} : { token: forged });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    });

    it('is accepted by a token with the same claims and the right signature', async () => {
      const good = jwt.sign({ ...claims(), exp: inAnHour() }, jwtSecretKey);
      expect((await own.get('/api/v1/auth/me', { token: good })).status).toBe(200);
    });

    it.each(['Basic YTpi', 'Bearer', 'bearer  ', 'Token abc', 'Bearer a b'])(
      'is not let in by "%s"',
      async (header) => {
        const answer = await own.get('/api/v1/auth/me', { headers: { Authorization: header } });
        expect(answer.body.code).toBe('unauthenticated');
      },
    );
  });

  describe('a user who changes the password', () => {
    const next = 'another password, long enough';

    it('is refused without the current one', async () => {
      const json = { current_password: 'wrong password here', new_password: next };
      expect((await own.admin.post('/api/v1/auth/password', { json })).body.code).toBe('invalid_credentials');
    });

    it('is refused a bad one', async () => {
      const json = { current_password: adminPassword, new_password: 'short' };
      expect((await own.admin.post('/api/v1/auth/password', { json })).body.errors).toEqual([
        { pointer: '/new_password', detail: 'must have at least 12 characters' },
      ]);
      const common = { current_password: adminPassword, new_password: 'abcdefghijkl' };
      expect((await own.admin.post('/api/v1/auth/password', { json: common })).body.errors).toEqual([
        { pointer: '/new_password', detail: 'must not be a sequence of letters, digits or keys' },
      ]);
    });

    it('is signed out everywhere, and in again with the new one only', async () => {
      const other = (await signIn()).body.token;
      const json = { current_password: adminPassword, new_password: next };
      expect((await own.admin.post('/api/v1/auth/password', { json })).status).toBe(204);
      for (const ended of [own.admin.token, other]) {
        expect((await own.get('/api/v1/auth/me', { token: ended })).status).toBe(401);
      }
      expect((await signIn()).status).toBe(401);
      expect((await signIn(next)).status).toBe(200);
    });
  });
});

describe('a password of 72 bytes', () => {
  const own = emptyApiPer('file');
  const longest = 'a'.repeat(72);
  beforeAll(async () => {
    expect(
      (await own.post('/api/v1/setup/complete', { json: { email: adminEmail, password: longest } })).status,
    ).toBe(201);
  });

  it.each([
    ['itself', longest, 200],
    ['with a byte more, which bcrypt would not read', `${longest}b`, 401],
    ['with a NUL behind it', `${longest}\0`, 401],
  ])('is matched by %s', async (_, password, status) => {
    expect((await own.post('/api/v1/auth/login', { json: { email: adminEmail, password } })).status).toBe(
      status,
    );
  });
});

describe('passwords', () => {
  it('are hashed with bcrypt at cost 12', () => {
    expect(passwordCost).toBe(12);
  });
});
