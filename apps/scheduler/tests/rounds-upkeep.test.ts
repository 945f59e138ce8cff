import { createAuditStore, verifyAudit } from '@plimsoll/db';
import { createRoundsUnderTest, type RoundsUnderTest } from './rounds-under-test.ts';

let scheduler: RoundsUnderTest;
beforeEach(async () => {
  scheduler = await createRoundsUnderTest();
});
afterEach(() => scheduler.database.drop());

describe('the audit log', () => {
  it('is deleted by age, however many events are too old, and not earlier', async () => {
    const { pool } = scheduler.database.db;
    const insert = (days: string, events: number) =>
      pool.query(
        `INSERT INTO audit_events (id, at, action, actor_kind, actor_name, details)
         SELECT gen_random_uuid(), now() - $1::interval, 'host.updated', 'system', 'test', '{}' FROM generate_series(1, $2)`,
        [days, events],
      );
    await pool.query('DELETE FROM audit_events');
    await insert('401 days', 5_001);
    await scheduler.run('seal audit events', new Date());
    await insert('399 days', 2);
    await scheduler.run('seal audit events', new Date());
    await scheduler.run('drop old audit events', new Date());
    await scheduler.run('seal audit events', new Date());
    const audit = createAuditStore(scheduler.database.db);
    expect([await audit.count({ action: 'host.' }), await audit.count({ action: 'audit.dropped' })]).toEqual([
      2, 2,
    ]);
    expect(await verifyAudit(scheduler.database.db)).toMatchObject({
      broken: null,
      first: 5_002,
      checked: 4,
      unsealed: 0,
    });
  });
});

describe('downloads of browsers', () => {
  it('are deleted once they may not begin any more, by the clock of the database', async () => {
    const { pool } = scheduler.database.db;
    await pool.query(
      `WITH u AS (INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', 'A', 'viewer')
         RETURNING id)
       INSERT INTO downloads (id, user_id, body, expires_at)
       SELECT gen_random_uuid(), u.id, age, now() - age::interval FROM u, unnest($1::text[]) age`,
      [['1 second', '1 hour', '-1 minute']],
    );
    await scheduler.run('drop expired downloads', new Date(Date.now() + 3_600_000));
    expect((await pool.query('SELECT body FROM downloads')).rows).toEqual([{ body: '-1 minute' }]);
  });
});

describe('recounts', () => {
  it('are rung for until every change is counted, once for each process that may share them', async () => {
    const { pool } = scheduler.database.db;
    await scheduler.run('ring recounts again', new Date());
    await pool.query("INSERT INTO version_changes (ids, counted) VALUES ('', true)");
    await scheduler.run('ring recounts again', new Date());
    expect(scheduler.rung).toEqual([]);
    await pool.query("INSERT INTO version_changes (ids, counted) VALUES ('', false)");
    await scheduler.run('ring recounts again', new Date());
    expect(scheduler.rung).toEqual([['host-recount', { share: 1 }]]);
    await pool.query("INSERT INTO recount_pieces (changes) SELECT '{2}' FROM generate_series(1, 20)");
    await scheduler.run('ring recounts again', new Date());
    expect(scheduler.rung.slice(1)).toEqual(
      Array.from({ length: 8 }, (_, index) => ['host-recount', { share: index + 1 }]),
    );
  });
});

describe('judging repositories', () => {
  it('is rung for if a host or a newest date waits, and for each review', async () => {
    const { db } = scheduler.database;
    await scheduler.run('ring for repositories to judge', new Date());
    expect(scheduler.rung).toEqual([]);
    await scheduler.insertHostOf('debian:12');
    await db.pool.query(
      "INSERT INTO host_refreshes (host_id, refreshes, digest) SELECT id, '[]', '' FROM hosts",
    );
    await scheduler.run('ring for repositories to judge', new Date());
    await db.pool.query('UPDATE host_refreshes SET due = false');
    await scheduler.run('ring for repositories to judge', new Date());
    expect(scheduler.rung).toEqual([['repository-judge', { kind: 'due' }]]);
    await db.pool.query(
      `INSERT INTO repositories (key, name, origin, suite, component, architecture, base, newest_at)
       VALUES ('k', 'noble', '', '', '', '', '', now())`,
    );
    await scheduler.run('ring for repositories to judge', new Date());
    await scheduler.run('ring for reviews of repositories', new Date());
    expect(scheduler.rung.slice(1)).toEqual([
      ['repository-judge', { kind: 'due' }],
      ['repository-judge', { kind: 'review' }],
    ]);
  });

  it('deletes repositories that no host has', async () => {
    const { db } = scheduler.database;
    await db.pool.query(
      `INSERT INTO repositories (key, name, origin, suite, component, architecture, base)
       VALUES ('k', 'noble', '', '', '', '', '')`,
    );
    await scheduler.run('drop unused repositories', new Date());
    expect((await db.pool.query('SELECT FROM repositories')).rowCount).toBe(0);
  });
});
