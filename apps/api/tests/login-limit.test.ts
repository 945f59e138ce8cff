import { randomBytes } from 'node:crypto';
import { attemptKey, attemptPrefixes, systemActor, unlockUser } from '@plimsoll/db';
import { createLoginLimiter } from '../src/auth/login-limiter.ts';
import { type LoginLimits, loginLimits } from '../src/auth/login-limits.ts';
import { addressKey } from '../src/connections/connection.ts';
import { adminEmail, adminPassword, apiPerFile, startApi } from './api-under-test.ts';

const limits: LoginLimits = {
  failuresPerPair: 3,
  failuresPerAddress: 5,
  windowSeconds: 600,
  failuresPerAccount: 8,
  accountWindowSeconds: 3600,
  longestWaitSeconds: 500,
  knownAddressDays: 90,
};
const api = apiPerFile(() => startApi({ loginLimits: limits, trustedProxies: ['127.0.0.1'] }));

// All that the limits know is in this table.
beforeEach(() => api.database.db.pool.query('DELETE FROM rate_limits'));

const home = '198.51.100.1';
const signIn = (password: string, { email = adminEmail, from = home } = {}) =>
  api.post('/api/v1/auth/login', { json: { email, password }, headers: { 'X-Forwarded-For': from } });
const changePassword = (current: string, from: string) =>
  api.admin.post('/api/v1/auth/password', {
    json: { current_password: current, new_password: randomBytes(12).toString('hex') },
    headers: { 'X-Forwarded-For': from },
  });
const wrong = 'a wrong password';

/**
 * Fails to sign in from many addresses, `times` in total; returns the statuses. A wait that the account then has does
 * not end during the test.
 */
async function guessFromManyAddresses(times: number, email = adminEmail): Promise<readonly number[]> {
  const statuses = [];
  for (let n = 0; n < times; n++) {
    statuses.push((await signIn(wrong, { email, from: `203.0.113.${n}` })).status);
    await setWait(email, Date.now() + 3_600_000);
  }
  return statuses;
}

describe('failed sign-ins', () => {
  it('to one account from one address are limited, even with the right password', async () => {
    for (let n = 0; n < 3; n++) expect((await signIn(wrong)).status).toBe(401);
    for (const password of [wrong, adminPassword]) {
      const answer = await signIn(password);
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(300);
    }
    expect((await api.admin.get('/api/v1/auth/me')).status).toBe(200);
  });

  it('from one address do not lock the account at another address', async () => {
    for (let n = 0; n < 20; n++) await signIn(wrong, { from: '203.0.113.9' });
    expect((await signIn(adminPassword)).status).toBe(200);
  });

  it('from many addresses make attempts from unknown addresses wait for each other, with growing waits', async () => {
    expect(await guessFromManyAddresses(9)).toEqual(Array(9).fill(401));
    // The ninth took the first wait, of a second; the table has the length of the next ones, so the test need not wait.
    for (const [n, seconds] of [
      [10, 2],
      [11, 4],
      [12, 8],
    ] as const) {
      await endWait(adminEmail);
      await expectWait(adminEmail, seconds, async () =>
        expect((await signIn(wrong, { from: `203.0.113.${n}` })).status).toBe(401),
      );
      await setWait(adminEmail, Date.now() + 300_000);
      const refused = await signIn(adminPassword, { from: '192.0.2.77' });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(100);
    }
  });

  it('never make an attempt wait longer than the longest wait', async () => {
    const { db } = api.database;
    const limiter = createLoginLimiter(db, { ...limits, failuresPerAccount: 1, longestWaitSeconds: 3 });
    const guess = (n: number) => ({ secret: 'login' as const, email: 'a@b.c', address: `203.0.113.${n}` });
    for (let n = 0; n < 8; n++) {
      await endWait('a@b.c');
      await limiter.attempt(guess(n));
    }
    await endWait('a@b.c');
    await expectWait('a@b.c', 3, () => limiter.attempt(guess(9)));
  });

  it('from elsewhere do not affect an address known for the account', async () => {
    expect((await signIn(adminPassword)).status).toBe(200);
    await guessFromManyAddresses(14);
    for (let n = 0; n < 5; n++) await signIn(wrong, { from: home, email: `other${n}@example.org` });
    expect((await signIn(adminPassword, { from: '192.0.2.77' })).status).toBe(429);
    expect((await signIn(wrong)).status).toBe(401);
    expect((await signIn(adminPassword)).status).toBe(200);
    expect((await signIn(wrong, { email: 'sixth@example.org' })).status).toBe(429);
  });

  it('are limited for a known address too', async () => {
    expect((await signIn(adminPassword)).status).toBe(200);
    for (let n = 0; n < 3; n++) expect((await signIn(wrong)).status).toBe(401);
    expect((await signIn(adminPassword)).status).toBe(429);
  });

  it('make an address known only for its own account', async () => {
    const json = { email: 'eve@example.org', password: adminPassword, role: 'viewer' };
    expect((await api.admin.post('/api/v1/users', { json })).status).toBe(201);
    expect((await signIn(adminPassword, { email: json.email, from: '192.0.2.66' })).status).toBe(200);
    await guessFromManyAddresses(9);
    expect((await signIn(adminPassword, { from: '192.0.2.66' })).status).toBe(429);
  });

  it('apply to the /64 network of an IPv6 address', async () => {
    expect((await signIn(adminPassword, { from: '2001:db8:0:7::1' })).status).toBe(200);
    await guessFromManyAddresses(9);
    expect((await signIn(adminPassword, { from: '2001:db8:0:7:ffff::2' })).status).toBe(200);
    expect((await signIn(adminPassword, { from: '2001:db8:0:8::1' })).status).toBe(429);
    for (let n = 0; n < 3; n++) await signIn(wrong, { from: `2001:db8:0:7::${n}` });
    expect((await signIn(adminPassword, { from: '2001:db8:0:7::1' })).status).toBe(429);
  });

  it('are dropped when the account is unlocked, those of addresses too; known addresses are kept', async () => {
    expect((await signIn(adminPassword)).status).toBe(200);
    for (let n = 0; n < 4; n++) await signIn(wrong);
    for (let n = 0; n < 6; n++) await signIn(wrong, { from: '203.0.113.200', email: `u${n}@example.org` });
    await signIn(wrong, { from: '203.0.113.201' });
    for (let n = 0; n < 5; n++) await signIn(wrong, { from: '203.0.113.201', email: `u${n}@example.org` });
    await guessFromManyAddresses(9);
    const unlocked = ['198.51.100.1', '203.0.113.201', '203.0.113.8'];
    for (const from of unlocked) expect((await signIn(adminPassword, { from })).status).toBe(429);
    const { id, email } = (await api.admin.get('/api/v1/auth/me')).body;
    expect(await unlockUser(api.database.db, { id, email }, systemActor('test'))).toBe(true);
    for (const from of unlocked) expect((await signIn(adminPassword, { from })).status).toBe(200);
    expect(await unlockUser(api.database.db, { id, email }, systemActor('test'))).toBe(false);
    expect((await signIn(adminPassword, { from: '203.0.113.200' })).status).toBe(429);
    expect((await countersThat((key) => key.startsWith(`${attemptPrefixes.known}:`))).length).toBe(3);
  });

  it('of an account that does not exist are counted alike', async () => {
    const answers = [];
    for (const email of [adminEmail, 'unknown@example.org']) {
      const statuses = [];
      for (let n = 0; n < 4; n++)
        statuses.push((await signIn(wrong, { email, from: `${email.length}.2.3.4` })).status);
      statuses.push(...(await guessFromManyAddresses(9, email)));
      answers.push(statuses);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toContain(429);
    const from = '18.2.3.4';
    expect((await signIn(wrong, { email: 'UNKNOWN@example.org', from })).status).toBe(429);
  });

  it('from one address are limited, whatever the account', async () => {
    for (let n = 0; n < 5; n++)
      expect((await signIn(wrong, { email: `user${n}@example.org` })).status).toBe(401);
    expect((await signIn(adminPassword)).status).toBe(429);
    expect((await signIn(adminPassword, { from: '203.0.113.9' })).status).toBe(200);
  });

  it('from one address leave rows only for as many accounts as it may try', async () => {
    const rows = async () => (await countersThat(() => true)).length;
    for (let n = 0; n < 5; n++) await signIn(wrong, { email: `user${n}@example.org` });
    const before = await rows();
    for (let n = 5; n < 25; n++)
      expect((await signIn(wrong, { email: `user${n}@example.org` })).status).toBe(429);
    expect(await rows()).toBe(before);
  });

  it('from one IPv6 network leave no more rows than from one address', async () => {
    const tries = Array.from({ length: 20 }, (_, n) =>
      signIn(wrong, { email: `user${n}@example.org`, from: `2001:db8:1:2::${n.toString(16)}` }),
    );
    await Promise.all(tries);
    const before = (await countersThat(() => true)).length;
    const again = await signIn(wrong, { email: 'one.more@example.org', from: '2001:db8:1:2:ffff::1' });
    expect(again.status).toBe(429);
    expect(await countersThat(() => true)).toHaveLength(before);
    expect(await countersThat((key) => key.startsWith(`${attemptPrefixes.address}:`))).toHaveLength(1);
  });

  it('sent at once are counted one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(wrong)));
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, ...Array(7).fill(429)]);
  });

  it('sent at once from many addresses let one pass if attempts have to wait', async () => {
    await guessFromManyAddresses(8);
    // The waits grow until the next one is longer than the attempts at once take.
    for (let n = 0; n < 7; n++) {
      await signIn(wrong, { from: `198.18.0.${n}` });
      await endWait(adminEmail);
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signIn(wrong, { from: `192.0.2.${n}` })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  it('are counted for all processes, and survive a restart', async () => {
    for (let n = 0; n < 3; n++) await signIn(wrong);
    const another = createLoginLimiter(api.database.db, limits);
    await expect(
      another.attempt({ secret: 'login', email: adminEmail, address: home }),
    ).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('do not include successful ones', async () => {
    for (let n = 0; n < 8; n++) expect((await signIn(adminPassword)).status).toBe(200);
    expect((await signIn(wrong)).status).toBe(401);
  });

  it('are counted without storing the e-mail or the address', async () => {
    await signIn(wrong);
    await signIn(adminPassword);
    const keys = await countersThat(() => true);
    expect(keys.map((key) => key.replace(/:.*/, '')).sort()).toEqual([
      'login-account',
      'login-address',
      'login-known',
      'login-pair',
    ]);
    expect(keys.join()).not.toMatch(/example|198\.51/);
  });
});

describe('a changed password', () => {
  it('cannot be guessed with a stolen token', async () => {
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await changePassword(wrong, '203.0.113.9')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('is not blocked by guesses of others, even at the same address', async () => {
    await guessFromManyAddresses(12);
    for (let n = 0; n < 5; n++) await signIn(wrong);
    expect((await signIn(adminPassword)).status).toBe(429);
    expect((await changePassword(adminPassword, home)).status).toBe(204);
  });
});

async function countersThat(hold: (key: string) => boolean): Promise<readonly string[]> {
  const rows = await api.database.db.prisma.rateLimit.findMany();
  return rows.map(({ key }) => key).filter(hold);
}

const waitKey = (email: string) => `${attemptPrefixes.wait('login')}:${attemptKey(email)}`;

/** Ends the account's wait. */
const endWait = (email: string): Promise<void> => setWait(email, 1);

/** Sets the end of the account's wait, in milliseconds since 1970. Nothing if it never had one. */
async function setWait(email: string, endsAt: number): Promise<void> {
  await api.database.db.prisma.rateLimit.updateMany({
    where: { key: waitKey(email) },
    data: { expire: BigInt(endsAt) },
  });
}

/**
 * Expects an attempt to make the account wait for this many seconds, however long the attempt itself takes.
 */
async function expectWait(email: string, seconds: number, attempt: () => Promise<unknown>): Promise<void> {
  const from = Date.now();
  await attempt();
  const { expire } = await api.database.db.prisma.rateLimit.findUniqueOrThrow({
    where: { key: waitKey(email) },
  });
  expect(Number(expire)).toBeGreaterThanOrEqual(from + seconds * 1000);
  expect(Number(expire)).toBeLessThanOrEqual(Date.now() + seconds * 1000);
}

describe('the limits in force', () => {
  it('allow a forgetful user and many users behind one address, but one address cannot use up an account', () => {
    expect(loginLimits).toMatchObject({ failuresPerPair: 10, failuresPerAddress: 60, windowSeconds: 900 });
    const { failuresPerPair, windowSeconds, failuresPerAccount, accountWindowSeconds } = loginLimits;
    expect((failuresPerPair * accountWindowSeconds) / windowSeconds).toBeLessThan(failuresPerAccount / 2);
  });
});

describe('an address that no trusted proxy reports', () => {
  it('is the one the connection comes from', async () => {
    const open = await startApi({
      loginLimits: { ...limits, failuresPerAddress: 2 },
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
