import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { attemptKey, attemptPrefixes, createAuditStore, createUserStore, newId } from '@plimsoll/db';
import { databasePerFile, folderPerFile } from '@plimsoll/testing';
import bcrypt from 'bcrypt';
import { userCommand } from '../src/commands/user-command.ts';
import { outputOf } from './output-of.ts';

const password = 'correct horse battery staple';
const database = databasePerFile();
const folder = folderPerFile();

/** All output of `plimsoll user …` with `typed` on standard input. */
function run(args: readonly string[], typed = '', isTTY = false): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  return outputOf(userCommand, args, { PLIMSOLL_DATABASE_URL: database.url }, { input });
}

const userOf = (email: string) => createUserStore(database.db).findByEmail(email);
async function actions(): Promise<readonly string[]> {
  const events = await createAuditStore(database.db).list({}, { limit: 100, before: null });
  return events.map(({ action, actor }) => `${actor.kind} ${actor.name}: ${action}`);
}

it('adds an admin to an installation without users, and prints its password once', async () => {
  const said = await run(['create-admin', 'Ada@Example.org', '--generate']);
  const [, shown = ''] = /^Password, shown this once: (\S{24})$/m.exec(said) ?? [];
  const user = await userOf('ada@example.org');
  expect(user).toMatchObject({ role: 'admin', disabledAt: null });
  expect(await bcrypt.compare(shown, user?.passwordHash ?? '')).toBe(true);
  expect(bcrypt.getRounds(user?.passwordHash ?? '')).toBe(12);
  expect(await actions()).toEqual(['cli plimsoll user create-admin: user.created']);
});

it("adds no second user with an e-mail address, and names the command that resets the first one's password", async () => {
  expect(await run(['create-admin', 'ada@example.org', '--generate'])).toContain(
    'failed: There is a user ada@example.org already. "plimsoll user reset-password ada@example.org"',
  );
});

it.each([
  ['standard input', [], `${password}\n`, false],
  ['a file', ['--password-file', 'FILE'], '', false],
  ['a terminal, typed twice', [], `${password}\n${password}\n`, true],
])('takes a new password from %s, and ends every session', async (_, args, typed, isTTY) => {
  const file = path.join(folder, 'password');
  await writeFile(file, `${password}\nand more\n`);
  const before = await userOf('ada@example.org');
  const given = args.map((arg) => (arg === 'FILE' ? file : arg));
  const said = await run(['reset-password', 'ADA@example.org', ...given], typed, isTTY);
  expect(said).toContain('The password of ada@example.org was changed');
  expect(said).not.toContain(password);
  const after = await userOf('ada@example.org');
  expect(await bcrypt.compare(password, after?.passwordHash ?? '')).toBe(true);
  expect(after?.tokenGeneration).toBe((before?.tokenGeneration ?? 0) + 1);
});

it.each([
  [
    'is too short',
    ['reset-password', 'ada@example.org'],
    'short\n',
    false,
    'must have at least 12 characters',
  ],
  ['is common', ['reset-password', 'ada@example.org'], 'aaaaaaaaaaaa\n', false, 'must not repeat'],
  [
    'is their address',
    ['create-admin', 'grace.hopper@example.org'],
    'gracehopper1906\n',
    false,
    'made of your name',
  ],
  ['differs the second time', ['reset-password', 'ada@example.org'], `${password}\nother\n`, true, 'differ'],
  [
    'is nowhere',
    ['reset-password', 'ada@example.org', '--password-file', '/nowhere'],
    '',
    false,
    'cannot be read',
  ],
  [
    'is for nobody',
    ['reset-password', 'bob@example.org', '--generate'],
    '',
    false,
    'There is no user bob@example.org',
  ],
] as const)('changes nothing where the password %s', async (_, args, typed, isTTY, words) => {
  const before = await userOf('ada@example.org');
  expect(await run(args, typed, isTTY)).toMatch(new RegExp(`^failed: .*${words}`));
  expect(await userOf('ada@example.org')).toEqual(before);
});

async function lock(email: string): Promise<void> {
  await database.db.pool.query('INSERT INTO rate_limits (key, points, expire) VALUES ($1, 11, $2)', [
    `${attemptPrefixes.account('login')}:${attemptKey(email)}`,
    Date.now() + 900_000,
  ]);
}

async function lockedKeys(): Promise<number> {
  const { rows } = await database.db.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM rate_limits');
  return rows[0]?.n ?? 0;
}

it('unlocks one account only, and reports if it was not locked', async () => {
  await lock('ada@example.org');
  await lock('bob@example.org');
  expect(await run(['unlock', 'ada@example.org'])).toMatch(/^ada@example.org can sign in again/);
  expect(await lockedKeys()).toBe(1);
  expect((await actions())[0]).toBe('cli plimsoll user unlock: user.unlocked');
  expect(await run(['unlock', 'ada@example.org'])).toContain('this account is not locked');
});

it('removes the second factor of a user and ends the sessions, and reports if there was none', async () => {
  const user = await userOf('ada@example.org');
  const { prisma } = database.db;
  const userId = user?.id ?? '';
  const key = { id: newId<string>(), credentialId: Buffer.from('credential'), publicKey: Buffer.from('key') };
  await prisma.passkey.create({ data: { ...key, userId, counter: 0n, transports: [], name: 'laptop' } });
  await prisma.recoveryCode.create({ data: { userId, digest: Buffer.from('digest') } });
  await prisma.user.update({ where: { id: userId }, data: { secondFactorAt: new Date() } });
  expect(await run(['reset-second-factor', 'ada@example.org'])).toContain('has no second factor now');
  const after = await userOf('ada@example.org');
  expect(after).toMatchObject({ secondFactorAt: null, tokenGeneration: (user?.tokenGeneration ?? 0) + 1 });
  expect(await prisma.passkey.count()).toBe(0);
  expect(await prisma.recoveryCode.count()).toBe(0);
  expect((await actions())[0]).toBe('cli plimsoll user reset-second-factor: user.second_factor_reset');
  expect(await run(['reset-second-factor', 'ada@example.org'])).toContain('Nothing was changed');
});

it('unlocks with a new password too', async () => {
  await lock('ada@example.org');
  await run(['reset-password', 'ada@example.org', '--generate']);
  expect(await lockedKeys()).toBe(1);
});

it('reports that a disabled user still cannot sign in', async () => {
  await run(['create-admin', 'second@example.org', '--generate']);
  const second = await userOf('second@example.org');
  const by = { kind: 'system', id: null, name: 'test', ipAddress: null, requestId: null } as const;
  await createUserStore(database.db).update(second?.id ?? '', { disabled: true }, by);
  expect(await run(['reset-password', 'second@example.org', '--generate'])).toContain('is disabled');
});

it('lets a user sign in with a password for an hour, although local accounts are switched off', async () => {
  const users = createUserStore(database.db);
  const user = await userOf('ada@example.org');
  if (user === null) throw new Error('no user');
  expect(await users.isPasswordAllowed(user.id)).toBe(false);
  const said = await run(['emergency', 'Ada@example.org']);
  const [, until = ''] = /^ada@example.org can sign in with a password until (\S+)\.$/m.exec(said) ?? [];
  expect(Math.abs(Date.parse(until) - Date.now() - 3_600_000)).toBeLessThan(600_000);
  expect(said).not.toContain('reset-password');
  expect(await users.isPasswordAllowed(user.id)).toBe(true);
  expect((await actions())[0]).toBe('cli plimsoll user emergency: user.emergency_allowed');
});

it('names the command that sets a password, where a user of the provider has none', async () => {
  await database.db.pool.query("UPDATE users SET password_hash = NULL WHERE email = 'ada@example.org'");
  expect(await run(['emergency', 'ada@example.org'])).toContain(
    'There is none yet: "plimsoll user reset-password ada@example.org" sets one.',
  );
});
