import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { conditions } from '../src/outbox/conditions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each(conditions)('the condition $event can be compared', async ({ present }) => {
  const { fields, rows } = await database.as('notify-worker').pool.query(present);
  expect(fields.map(({ name }) => name)).toEqual(['subject', 'data']);
  expect(rows).toEqual([]);
});
