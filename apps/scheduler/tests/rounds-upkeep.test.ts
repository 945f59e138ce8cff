import { createAuditStore, verifyAudit } from '@plimsoll/db';
import { createRoundsUnderTest, type RoundsUnderTest, roundsOn } from './rounds-under-test.ts';

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

describe('deletions by age', () => {
  /** Uploads, days of the trend, audit events and sessions whose time is not over, and one host that just reported. */
  async function life(): Promise<void> {
    const { pool } = scheduler.database.db;
    await scheduler.insertHostOf('debian:12');
    await pool.query(
      `INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, received_at)
       SELECT gen_random_uuid(), h.id, 'agent', n, 'protobuf', '', 'matched', now() - make_interval(days => n)
       FROM hosts h, generate_series(1, 29) n`,
    );
    await pool.query(
      `INSERT INTO fleet_days (day, noted_at, totals)
       SELECT (now() - make_interval(days => n))::date, now() - make_interval(days => n, hours => -1), '{"made": 1}'
       FROM generate_series(1, 399) n`,
    );
    await pool.query(
      `INSERT INTO audit_events (id, at, action, actor_kind, actor_name, details)
       SELECT gen_random_uuid(), now() - make_interval(days => n), 'user.login', 'system', '', '{}' FROM generate_series(1, 399) n`,
    );
    await pool.query('SELECT seal_audit_events(1000)');
    await pool.query(
      `WITH u AS (INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', '', 'viewer') RETURNING id)
       INSERT INTO sessions (id, user_id, generation, method, kind, user_agent, ends_at)
       SELECT gen_random_uuid(), id, 0, 'password', 'token', '', now() + interval '1 hour' FROM u`,
    );
    await runAll();
  }
  /** Moves all that happened, and the retention time, into the past: the clock of the database jumps, or the service was off. */
  async function jump(days: number): Promise<void> {
    for (const [table, columns] of Object.entries({
      uploads: ['received_at'],
      audit_events: ['at'],
      sessions: ['ends_at'],
      host_contacts: ['last_seen_at', 'collected_at'],
      retention_clock: ['at', 'noted_at'],
      fleet_days: ['noted_at'],
    }))
      await scheduler.database.db.pool.query(
        `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - make_interval(days => $1)`).join(', ')}`,
        [days],
      );
    // Days are keys: none takes the place of another on the way.
    for (const moved of [1_000_000 + days, -1_000_000])
      await scheduler.database.db.pool.query('UPDATE fleet_days SET day = day - $1::int', [moved]);
  }
  /** A report of the host, whose clock differs by some days from the database's. */
  const report = (days: number) =>
    scheduler.database.db.pool.query(
      `UPDATE host_contacts SET last_seen_at = now(), collected_at = now() - make_interval(days => $1)`,
      [days],
    );
  /** Ten minutes pass. */
  const pass = () =>
    scheduler.database.db.pool.query(
      `UPDATE retention_clock SET noted_at = noted_at - interval '10 minutes', jumped_at = jumped_at - interval '10 minutes'`,
    );
  async function runAll(): Promise<readonly string[]> {
    const failed: string[] = [];
    for (const round of roundsOn(scheduler.database, { rung: [] }).flat())
      await round.run().catch((error: Error) => failed.push(`${round.name}: ${error.message}`));
    return failed;
  }
  async function left(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await scheduler.database.db.pool.query(
      `SELECT (SELECT count(*)::int FROM uploads) AS uploads, (SELECT count(*)::int FROM fleet_days WHERE totals ? 'made') AS days,
         (SELECT count(*)::int FROM audit_events WHERE action = 'user.login') AS events, (SELECT count(*)::int FROM sessions) AS sessions`,
    );
    return rows[0];
  }
  const all = { uploads: 29, days: 399, events: 399, sessions: 1 };

  it.each([500, -500, -1])(
    'take nothing away if the clock of the database jumps by %s days, and admins see why if hosts say otherwise',
    async (days) => {
      await life();
      await jump(days);
      expect(await runAll()).toEqual([]);
      expect(await left()).toEqual(all);
      await report(days);
      await pass();
      const failed = await runAll();
      expect(failed).toEqual(
        Math.abs(days) > 1
          ? [expect.stringMatching(/^follow the clock: The database's clock says .*1 of 1 hosts/)]
          : [],
      );
      expect(await left()).toEqual(all);
    },
  );

  it('go on, a day in ten minutes, after a pause of 60 days that hosts confirm', async () => {
    await life();
    await jump(60);
    expect(await runAll()).toEqual([]);
    expect(await left()).toEqual(all);
    await report(0);
    await pass();
    expect(await runAll()).toEqual([]);
    expect(await left()).toMatchObject({ uploads: 28, events: 398, sessions: 0 });
    for (let minutes = 0; minutes < 600; minutes += 10) {
      await pass();
      await runAll();
    }
    expect(await left()).toMatchObject({ uploads: 0, days: 340, sessions: 0 });
  });
});
