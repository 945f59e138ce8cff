import { type UserId, wholeFleet } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { createSessionStore, createUserStore, type NewSession, newId, systemActor } from '../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const by = systemActor('test');
const inAnHour = () => new Date(Date.now() + 3_600_000);

async function addUser() {
  const id = newId<UserId>();
  const users = createUserStore(database.db);
  return users.create(
    { id, email: `${id}@example.org`, name: '', role: 'admin', scope: wholeFleet, passwordHash: '' },
    by,
  );
}

/** A session of a new user, and the claims of its token. */
async function start(changes: Partial<NewSession> = {}) {
  const sessions = createSessionStore(database.as('api'));
  const user = await addUser();
  const session = await sessions.start(
    {
      id: newId<string>(),
      user,
      method: 'password',
      kind: 'token',
      lifetimeMinutes: 60,
      idleMinutes: null,
      ipAddress: '192.0.2.1',
      userAgent: 'curl',
      refreshHash: null,
      ...changes,
    },
    by,
  );
  const claims = {
    userId: user.id,
    sessionId: session.id,
    generation: user.tokenGeneration,
    expiresAt: inAnHour(),
  };
  return { sessions, user, session, claims };
}

describe('a session', () => {
  it('is found with its user by the claims of its token', async () => {
    const { sessions, user, session, claims } = await start();
    const found = await sessions.find(claims);
    expect(found?.user).toEqual({ ...user, lastLoginAt: session.createdAt });
    expect(found?.session).toEqual({ ...session, checkedAt: found?.session.checkedAt });
    expect(session.authenticatedAt).toEqual(session.createdAt);
  });

  it.each([
    ['another user', { userId: newId<string>() }],
    ['another session', { sessionId: newId<string>() }],
    ['another generation', { generation: 1 }],
    ['a token that has expired', { expiresAt: new Date(Date.now() - 60_000) }],
  ])('is not found by %s', async (_, changes) => {
    const { sessions, claims } = await start();
    expect(await sessions.find({ ...claims, ...changes })).toBeNull();
  });

  it('is over after its lifetime, and after its idle time', async () => {
    for (const over of [{ lifetimeMinutes: -1 }, { idleMinutes: -1 }]) {
      const { sessions, claims } = await start(over);
      expect(await sessions.find(claims)).toBeNull();
    }
  });

  it('alone is ended by its user, once', async () => {
    const { sessions, user, session, claims } = await start();
    const other = await start();
    await sessions.logOut(session.id, by);
    await sessions.logOut(session.id, by);
    expect(await sessions.find(claims)).toBeNull();
    expect(await other.sessions.find(other.claims)).not.toBeNull();
    expect(await database.db.prisma.auditEvent.count({ where: { action: 'user.logged_out' } })).toBe(1);
    expect(user.tokenGeneration).toBe(claims.generation);
  });

  it.each([
    ['another role', { role: 'viewer' as const }],
    ['another password', { passwordHash: 'another' }],
    ['being disabled', { disabled: true }],
  ])('ends with %s of its user, also if it started from what was read before', async (_, changes) => {
    await addUser();
    const { sessions, user, claims } = await start();
    await createUserStore(database.db).update(user.id, changes, by);
    expect(await sessions.find(claims)).toBeNull();
    const late = await sessions.start(
      {
        id: newId<string>(),
        user,
        method: 'password',
        kind: 'token',
        lifetimeMinutes: 60,
        idleMinutes: null,
        ipAddress: null,
        userAgent: '',
        refreshHash: null,
      },
      by,
    );
    expect(await sessions.find({ ...claims, sessionId: late.id })).toBeNull();
  });

  it('notes its use at most once a minute', async () => {
    const { sessions, session, claims } = await start();
    await sessions.noteUse(session);
    expect((await sessions.find(claims))?.session.lastUsedAt).toEqual(session.lastUsedAt);
    const later = new Date(session.checkedAt.getTime() + 60_000);
    await sessions.noteUse({ ...session, checkedAt: later });
    expect((await sessions.find(claims))?.session.lastUsedAt).toEqual(later);
  });
});
