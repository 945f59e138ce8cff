import { once } from 'node:events';
import path from 'node:path';
import { serviceApps } from '@plimsoll/model';
import {
  createTestDatabase,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    projectDir: path.resolve(__dirname, '../..'),
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
  });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

it('each app ends when a newer program has migrated the database, and does not start on it', async () => {
  const started = serviceApps.flatMap((app) => service.processes(app));
  expect(started).toHaveLength(serviceApps.length);
  await database.db.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('later', '', '20991231000000_later', now())`,
  );
  await database.db.pool.query(`UPDATE schema_state SET version = '9.0.0'`);
  await waitFor('all apps to end', async () => started.every(({ exitCode }) => exitCode === 1));
  for (const app of serviceApps) expect(await once(service.start(app), 'exit')).toEqual([1, null]);
  const reasons = service
    .log()
    .match(/too new for this program, version \d\S+: version 9\.0\.0 migrated it/g);
  expect(reasons?.length).toBeGreaterThanOrEqual(2 * serviceApps.length);
  expect(service.log().match(/"api listens"/g)).toHaveLength(1);
});
