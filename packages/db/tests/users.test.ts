import type { UserId } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { createUserStore, newId, systemActor } from '../src/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const someone = (email: string) => ({ id: newId<UserId>(), email, name: 'Ada', passwordHash: 'hash' });

describe('user store', () => {
  it('creates exactly one first user, as admin, from many requests at once', async () => {
    const store = createUserStore(database.db);
    expect(await store.anyUserExists()).toBe(false);
    const attempts = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.createFirstUser(someone(`user${index}@example.org`), systemActor('test')),
      ),
    );
    const winners = attempts.filter((user) => user !== null);
    expect(winners).toHaveLength(1);
    expect(winners[0]).toMatchObject({ role: 'admin', disabledAt: null });
    expect(await store.anyUserExists()).toBe(true);
    expect(await store.findByEmail(winners[0]?.email ?? '')).toEqual(winners[0]);
  });

  it('starts another generation when the password changes', async () => {
    const store = createUserStore(database.db);
    const user = await store.createFirstUser(someone('ada@example.org'), systemActor('test'));
    if (user === null) throw new Error('the first user was not created');
    await store.changePassword(user.id, 'another', systemActor('test'));
    expect(await store.findById(user.id)).toMatchObject({
      passwordHash: 'another',
      tokenGeneration: user.tokenGeneration + 1,
    });
  });

  it('finds no user with a malformed id', async () => {
    expect(await createUserStore(database.db).findById("1' OR '1'='1")).toBeNull();
  });
});
