import { databasePerFile } from '@plimsoll/testing';
import { conditions } from '../src/outbox/conditions.ts';

const database = databasePerFile();

it.each(conditions)('the condition $event can be compared', async ({ present }) => {
  const { fields, rows } = await database.as('notify-worker').pool.query(present);
  expect(fields.map(({ name }) => name)).toEqual(['subject', 'data']);
  expect(rows).toEqual([]);
});
