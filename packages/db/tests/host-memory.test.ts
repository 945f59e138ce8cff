import { type HostId, wholeFleet } from '@plimsoll/model';
import { createTestDatabase, insertManyHosts, type TestDatabase, waitFor } from '@plimsoll/testing';
import { releaseRows } from '../src/hosts/load-hosts.ts';
import {
  createFleetStore,
  createHostMemory,
  createHostStore,
  type HostMemory,
  type HostStore,
  newId,
  systemActor,
} from '../src/index.ts';

const hosts = 300;
const by = systemActor('test');

let database: TestDatabase;
let store: HostStore;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertManyHosts(database.db, hosts);
  const app = database.as('api');
  store = createHostStore(app, createHostMemory(app));
});
afterAll(() => database.drop());

async function listed(filters: Parameters<HostStore['list']>[0]['filters'] = {}) {
  const sort = { column: 'displayName', descending: false } as const;
  return store.list({ scope: wholeFleet, filters, sort, limit: 1_000, after: null });
}

/** Every host as the view shows it, by display name. */
async function viewed(): Promise<string> {
  const { rows } = await database.db.pool.query<{ text: string }>(
    `SELECT coalesce(string_agg(concat_ws(' ', display_name, status, coverage, updates_state, repositories_state, gaps,
       overall_action, critical, tags::text), e'\\n' ORDER BY display_name COLLATE "C"), '') AS text FROM host_overview`,
  );
  return rows[0]?.text ?? '';
}

async function inMemory(): Promise<string> {
  const { hosts: all } = await listed();
  return all
    .map((host) =>
      [
        host.displayName,
        host.status,
        host.coverage,
        host.updatesState,
        host.repositoriesState,
        host.gaps,
        host.overallAction,
        host.critical,
        `{${host.tags.join(',')}}`,
      ].join(' '),
    )
    .join('\n');
}

/** Compares memory and view at a moment at which the view stays the same. */
async function compare(): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const before = await viewed();
    const found = await inMemory();
    if ((await viewed()) !== before) continue; // a deadline passed meanwhile
    expect(found).toBe(before);
    return found;
  }
  throw new Error('the view never stayed the same for the time of one comparison');
}

describe('hosts in memory', () => {
  it('come with the releases that hosts have, whatever others are stored', async () => {
    const { pool } = database.db;
    await pool.query(
      `INSERT INTO releases (name) SELECT 'no host has:' || n FROM generate_series(1, 100) AS n`,
    );
    const read = await pool.query<{ releases: string }>(releaseRows);
    const used = await pool.query(
      'SELECT DISTINCT release_id AS id FROM host_state WHERE release_id IS NOT NULL',
    );
    expect(JSON.parse(read.rows[0]?.releases ?? '')).toEqual(
      used.rows.map((release) => expect.objectContaining(release)),
    );
    expect(used.rowCount).toBe(1);
  });

  it('show what a user changed at once', async () => {
    const [first] = (await listed()).hosts;
    const id = first?.id ?? ('' as HostId);
    await store.update(wholeFleet, id, { displayName: 'a name before all', tags: ['new'] }, by);
    expect((await listed()).hosts[0]).toMatchObject({ id, displayName: 'a name before all', tags: ['new'] });
    expect((await listed({ tag: 'new' })).total).toBe(1);
    expect((await listed({ q: 'BEFORE all' })).total).toBe(1);
    await store.update(wholeFleet, id, { displayName: first?.displayName ?? '', tags: [] }, by);
    expect((await listed({ tag: 'new' })).total).toBe(0);
  });

  it('follow hosts that are added and deleted', async () => {
    const id = newId<HostId>();
    await store.create(
      { id, onboardingMode: 'manual', displayName: 'added', hostname: 'added', staleAfterSeconds: 60 },
      by,
    );
    expect(await listed({ q: 'added' })).toMatchObject({ total: 1, hosts: [{ id, status: 'new' }] });
    await store.delete(wholeFleet, id, by);
    expect(await listed({ q: 'added' })).toEqual({ total: 0, hosts: [] });
    expect((await listed()).total).toBe(hosts);
  });

  it('follow contacts, changes of many hosts, and many deleted hosts', async () => {
    const { pool } = database.db;
    await pool.query(`UPDATE host_contacts SET last_confirmed_at = now() - interval '30 days'`);
    await waitFor('stale hosts', async () => (await listed({ status: 'stale' })).total === hosts);
    await pool.query('UPDATE host_state SET critical = 77');
    await waitFor('new counts', async () => (await listed({ findingSeverity: 'critical' })).total === hosts);
    await pool.query(`INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
      SELECT gen_random_uuid(), 'agent', 'approved', 'many', 'many' FROM generate_series(1, 200)`);
    await pool.query(`INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds)
      SELECT id, now(), 60 FROM hosts WHERE display_name = 'many'`);
    await pool.query(`INSERT INTO host_state (host_id) SELECT id FROM hosts WHERE display_name = 'many'`);
    await waitFor('200 more hosts', async () => (await listed({ q: 'many' })).total === 200);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'many'`);
    await waitFor('their deletion', async () => (await listed()).total === hosts);
    await compare();
  });

  it('are not all read again because the database was slow once', async () => {
    const app = database.as('api');
    await listed();
    const scans: string[] = [];
    const query = app.pool.query;
    const counting = (...args: unknown[]) => {
      const [statement] = args as [{ text?: string }];
      if (statement.text?.includes('FROM hosts h WHERE age(') === true) scans.push(statement.text);
      return Reflect.apply(query, app.pool, args);
    };
    Object.assign(app.pool, { query: counting });
    const slow = await database.db.pool.connect();
    try {
      await slow.query('BEGIN; LOCK TABLE releases');
      const answer = listed();
      // The listening connection, and once it has waited too long, one of the pool.
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await waitFor('the second look', async () => (await slow.query(waiting)).rowCount === 2);
      await slow.query('COMMIT');
      expect((await answer).total).toBeGreaterThan(0);
      const [first] = (await listed()).hosts;
      await store.update(wholeFleet, first?.id ?? ('' as HostId), { tags: ['heard'] }, by);
      expect((await listed({ tag: 'heard' })).total).toBe(1);
      expect(scans).toEqual([]);
    } finally {
      slow.release(true);
      Object.assign(app.pool, { query });
    }
  });

  it('miss nothing that changed while the connection for changes was lost', async () => {
    const { pool } = database.db;
    await listed();
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_snapshot_xmin%' AND pid <> pg_backend_pid()`);
    await pool.query(`UPDATE hosts SET tags = ARRAY['unheard'] WHERE display_name = 'host-000005'`);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'host-000006'`);
    // The pool may have had one of the ended connections.
    await waitFor('a change that was not reported', async () => {
      const tagged = await listed({ tag: 'unheard' }).catch(() => null);
      return tagged?.total === 1;
    });
    expect((await listed({ q: 'host-000006' })).total).toBe(0);
    await compare();
  });

  it('follow within a review what no notification reports', async () => {
    const { pool } = database.db;
    await listed();
    await pool.query('ALTER TABLE hosts DISABLE TRIGGER USER');
    await pool.query(`UPDATE hosts SET tags = ARRAY['silent'] WHERE display_name = 'host-000007'`);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'host-000008'`);
    await pool.query('ALTER TABLE hosts ENABLE TRIGGER USER');
    await store.readAhead();
    expect((await listed({ tag: 'silent' })).total).toBe(1);
    expect((await listed({ q: 'host-000008' })).total).toBe(0);
  });

  it('show the same as the view while time passes every deadline', async () => {
    const { pool } = database.db;
    // Each third of the hosts passes a deadline of its own; the feed and the release pass theirs with all hosts.
    await pool.query(`UPDATE host_contacts c SET stale_after_seconds = 1 + n % 3, last_confirmed_at = now(), lists_at = now(),
        repositories_state = 'current', repositories_valid_until = CASE WHEN n % 2 = 0 THEN now() + n % 5 * interval '0.5 s' END
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) h WHERE h.id = c.host_id`);
    await pool.query(`UPDATE host_state s SET support_ends_at = CASE WHEN n % 7 = 0 THEN now() + n % 4 * interval '1 s' END
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) h WHERE h.id = s.host_id`);
    await pool.query(`UPDATE feeds SET updated_at = now(), stale_after_seconds = 2`);
    await pool.query(`UPDATE releases SET ends_at = now() + interval '4 s'`);
    const seen = new Set<string>();
    await waitFor("the end of every host's support", async () => {
      seen.add(await compare());
      const { total } = await listed({ coverage: 'eol' });
      return total === (await listed()).total;
    });
    expect(seen.size).toBeGreaterThan(3);
    expect((await listed({ status: 'active' })).total).toBe(0);
    expect(await inMemory()).toBe(await viewed());
  });
});

it('are read anew after a backup was restored, though the first attempt fails', async () => {
  const { pool } = database.db;
  const app = database.as('api');
  const memory = createHostMemory(app);
  const query = app.pool.query;
  // The first answer is of the database before, in which more transactions had begun.
  const before = async (...args: unknown[]) => {
    const answer = await Reflect.apply(query, app.pool, args);
    for (const row of answer.rows) if ('horizon' in row) row.horizon = '1000000000';
    return answer;
  };
  Object.assign(app.pool, { query: before });
  const { ids } = await memory.current();
  Object.assign(app.pool, { query });
  await pool.query('ALTER TABLE hosts DISABLE TRIGGER USER');
  await pool.query(`UPDATE hosts SET display_name = 'restored' WHERE id = $1`, [ids[0]]);
  await pool.query('ALTER TABLE hosts ENABLE TRIGGER USER');
  const connect = app.pool.connect;
  // No transaction begins; single statements, which pass a callback, run.
  const broken = (...args: unknown[]) =>
    args.length === 0 ? Promise.reject(new Error('no connection')) : Reflect.apply(connect, app.pool, args);
  Object.assign(app.pool, { connect: broken });
  await expect(memory.current()).rejects.toThrow('no connection');
  Object.assign(app.pool, { connect });
  expect((await memory.current()).displayNames).toContain('restored');
});

it('have the whole first count of CISA KEV once the fleet says that it is counted', async () => {
  const { pool } = database.db;
  await pool.query(`INSERT INTO feeds (id, updated_at) VALUES ('cisa-kev', now())`);
  await pool.query(
    `INSERT INTO knowledge_changes (at, kind, feeds, counted) VALUES (now(), 'import', '{cisa-kev}', false)`,
  );
  const real = createHostMemory(database.as('api'));
  const before = await real.current();
  let isLate = true;
  // As of a fleet so large that changes of many hosts follow later.
  const memory: HostMemory = {
    setMemory: real.setMemory,
    current: () => (isLate ? Promise.resolve(before) : real.current()),
    review() {
      isLate = false;
      return real.review();
    },
  };
  const fleet = createFleetStore(database.as('api'), undefined, memory);
  expect(await fleet.isExploitationCounted()).toBe(false);
  const { rowCount } = await pool.query('UPDATE host_state SET known_exploited = 1');
  await pool.query('UPDATE knowledge_changes SET counted = true');
  expect(await fleet.isExploitationCounted()).toBe(true);
  expect((await fleet.summarise(wholeFleet)).totals.findings.knownExploited).toBe(rowCount);
});
