import { randomBytes } from 'node:crypto';
import { systemActor, unlockUser } from '@plimsoll/db';
import { addressKey } from '../src/auth/address-key.ts';
import { loginLimits } from '../src/auth/login-limiter.ts';
import { type ApiUnderTest, adminEmail, adminPassword, setUp, startApi } from './api-under-test.ts';

let api: ApiUnderTest;
let token: string;

beforeEach(async () => {
  api = await startApi({
    loginLimits: { failuresPerAccount: 3, failuresPerAddress: 5, windowSeconds: 600 },
    trustedProxies: ['127.0.0.1'],
  });
  token = await setUp(api);
});
afterEach(() => api.stop());

const signIn = (password: string, { email = adminEmail, from = '198.51.100.1' } = {}) =>
  api.post('/api/v1/auth/login', { json: { email, password }, headers: { 'X-Forwarded-For': from } });
const wrong = 'a wrong password';

describe('failed sign-ins', () => {
  it('of one account are too many at some point, even with the right password, from anywhere', async () => {
    for (let n = 0; n < 3; n++) expect((await signIn(wrong, { from: `198.51.100.${n}` })).status).toBe(401);
    for (const password of [wrong, adminPassword]) {
      const answer = await signIn(password, { from: '203.0.113.9' });
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
    }
    expect((await api.get('/api/v1/auth/me', { token })).status).toBe(200);
  });

  it('are forgotten where the account is unlocked', async () => {
    for (let n = 0; n < 4; n++) await signIn(wrong, { from: `198.51.100.${n}` });
    expect((await signIn(adminPassword, { from: '203.0.113.9' })).status).toBe(429);
    const { id, email } = (await api.get('/api/v1/auth/me', { token })).body;
    expect(await unlockUser(api.database.db, { id, email }, systemActor('test'))).toBe(true);
    expect((await signIn(adminPassword, { from: '203.0.113.9' })).status).toBe(200);
  });

  it('of an account that does not exist are counted alike', async () => {
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await signIn(wrong, { email: 'nobody@example.org' })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await signIn(wrong, { email: 'NOBODY@example.org' })).status).toBe(429);
  });

  it('from one address are too many at some point, whatever the account', async () => {
    for (let n = 0; n < 5; n++)
      expect((await signIn(wrong, { email: `user${n}@example.org` })).status).toBe(401);
    expect((await signIn(adminPassword)).status).toBe(429);
    expect((await signIn(adminPassword, { from: '203.0.113.9' })).status).toBe(200);
  });

  it('sent at once are counted one by one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signIn(wrong, { from: `203.0.113.${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, ...Array(7).fill(429)]);
  });

  it('are not what successful ones are', async () => {
    for (let n = 0; n < 8; n++) expect((await signIn(adminPassword)).status).toBe(200);
    expect((await signIn(wrong)).status).toBe(401);
  });

  it('limit guessing the password with a stolen token, too', async () => {
    const json = { current_password: wrong, new_password: randomBytes(12).toString('hex') };
    const statuses = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await api.post('/api/v1/auth/password', { token, json })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('are counted without the e-mail address being kept', async () => {
    await signIn(wrong);
    const rows = await api.database.db.prisma.rateLimit.findMany();
    expect(rows.map(({ key }) => key.replace(/:.*/, '')).sort()).toEqual(['login-account', 'login-address']);
    expect(JSON.stringify(rows.map(({ key }) => key))).not.toContain('example');
  });
});

describe('the limits in force', () => {
  it('bear a forgetful user, and many of them behind one address', () => {
    expect(loginLimits).toEqual({ failuresPerAccount: 10, failuresPerAddress: 60, windowSeconds: 900 });
  });
});

describe('an address that nobody vouches for', () => {
  it('is the one the connection comes from', async () => {
    const open = await startApi({
      loginLimits: { failuresPerAccount: 100, failuresPerAddress: 2, windowSeconds: 600 },
    });
    try {
      const statuses = [];
      for (let n = 0; n < 3; n++) {
        const headers = { 'X-Forwarded-For': `198.51.100.${n}` };
        const json = { email: `user${n}@example.org`, password: wrong };
        statuses.push((await open.post('/api/v1/auth/login', { json, headers })).status);
      }
      expect(statuses).toEqual([401, 401, 429]);
    } finally {
      await open.stop();
    }
  });
});

describe('addressKey', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('counts %s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
