import { existsSync } from 'node:fs';
import path from 'node:path';
import { createRoundStore } from '@plimsoll/db';
import {
  createTestDatabase,
  describeWhere,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

describeWhere(existsSync(library) ? [] : ['libfaketime'], 'a scheduler whose clock is 500 days ahead', () => {
  let database: TestDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.pool.query(
      `WITH h AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
         VALUES (gen_random_uuid(), 'agent', 'approved', 'a', 'a') RETURNING id)
       INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, received_at)
       SELECT gen_random_uuid(), h.id, 'agent', n, 'protobuf', '', 'matched', now() - make_interval(days => n)
       FROM h, generate_series(0, 29) n`,
    );
    await database.db.pool.query(
      `INSERT INTO audit_events (id, at, action, actor_kind, actor_name, details)
       SELECT gen_random_uuid(), now() - make_interval(days => n), 'user.login', 'system', '', '{}' FROM generate_series(2, 99) n`,
    );
    await database.db.pool.query('SELECT seal_audit_events(1000)');
    service = await startService({
      projectDir: path.resolve(__dirname, '../../..'),
      databaseUrl: database.url,
      queue: { kind: 'postgres' },
      apps: ['api'],
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('deletes nothing that is not over by the clock of the database, and says that its clock is wrong', async () => {
    const rounds = createRoundStore(database.db);
    const runsOf = async (name: string) => (await rounds.list()).find((round) => round.name === name);
    service.start('scheduler', { LD_PRELOAD: library, FAKETIME: '+500d', DONT_FAKE_MONOTONIC: '1' });
    for (const name of [
      'drop old uploads',
      'drop ended deliveries',
      'drop old audit events',
      'retire silent hosts',
    ])
      await waitFor(`the round "${name}"`, async () => (await runsOf(name))?.lastOkAt != null);
    await waitFor('the warning', async () => (await runsOf('follow the clock'))?.lastError != null);
    expect((await runsOf('follow the clock'))?.lastError?.message).toMatch(
      /^The clock of this scheduler's machine is (720000|719999) minutes ahead of the database's/,
    );
    const { rows } = await database.db.pool.query(
      `SELECT (SELECT count(*)::int FROM uploads) AS uploads,
         (SELECT count(*)::int FROM audit_events WHERE action = 'user.login') AS events,
         (SELECT count(*)::int FROM hosts WHERE retired_at IS NOT NULL) AS retired`,
    );
    expect(rows).toEqual([{ uploads: 30, events: 98, retired: 0 }]);
  });
});
