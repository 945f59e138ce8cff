import { type UserId, wholeFleet } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { createSessionStore, createUserStore, type NewSession, newId, systemActor } from '../src/index.ts';

const database = databasePerFile();

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
