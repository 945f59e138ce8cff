import { bitsOfGaps, type HostId, wholeFleet } from '@plimsoll/model';
import { createTestDatabase, insertManyHosts, type TestDatabase, waitFor } from '@plimsoll/testing';
import { releaseRows } from '../src/hosts/load-hosts.ts';
import {
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
let memory: HostMemory;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertManyHosts(database.db, hosts);
  const app = database.as('api');
  store = createHostStore(app);
  memory = createHostMemory(app);
});
afterAll(() => database.drop());

/** The hosts in memory by display name, with their tags and gaps. */
async function inMemory(): Promise<ReadonlyMap<string, string>> {
  return shown(await memory.current());
}

function shown(columns: Awaited<ReturnType<HostMemory['current']>>): ReadonlyMap<string, string> {
  const all = [...columns.byName()].map(
    (at) =>
      [columns.displayNames[at] ?? '', `${columns.tagsOf(at).join()} ${columns.numbers.gaps[at]}`] as const,
  );
  return new Map(all);
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

  it('show what a user changed at once, and hosts that are added and deleted', async () => {
    const { ids, displayNames } = await memory.current();
    const [first, name] = [ids[0], displayNames[0]];
    await store.update(wholeFleet, first ?? '', { displayName: 'a name before all', tags: ['new'] }, by);
    expect([...(await inMemory())][0]).toEqual(['a name before all', expect.stringMatching(/^new /)]);
    await store.update(wholeFleet, first ?? '', { displayName: name ?? '', tags: [] }, by);
    const id = newId<HostId>();
    await store.create(
      { id, onboardingMode: 'manual', displayName: 'added', hostname: 'added', staleAfterSeconds: 60 },
      by,
    );
    // no_report
    expect((await inMemory()).get('added')).toBe(' 1');
    await store.delete(wholeFleet, id, by);
    expect((await memory.current()).hosts).toBe(hosts);
  });

  it('follow changes of many hosts, what is judged of them, and many deleted hosts', async () => {
    const { pool } = database.db;
    const outdated = `${bitsOfGaps(['report_outdated'])}`;
    const isStale = (tagsAndGaps: string) => (Number(tagsAndGaps.split(' ')[1]) & Number(outdated)) !== 0;
    await pool.query(`UPDATE host_contacts SET last_confirmed_at = now() - interval '30 days'`);
    await waitFor('stale hosts', async () => [...(await inMemory()).values()].every(isStale));
    await pool.query(`INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
      SELECT gen_random_uuid(), 'agent', 'approved', 'many', 'many' FROM generate_series(1, 200)`);
    await pool.query(`INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds)
      SELECT id, now(), 60 FROM hosts WHERE display_name = 'many'`);
    await pool.query(`INSERT INTO host_state (host_id) SELECT id FROM hosts WHERE display_name = 'many'`);
    await waitFor('200 more hosts', async () => (await memory.current()).hosts === hosts + 200);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'many'`);
    await waitFor('their deletion', async () => (await memory.current()).hosts === hosts);
  });

  it('are not all read again because the database was slow once', async () => {
    const app = database.as('api');
    await memory.current();
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
      const answer = memory.current();
      // The listening connection, and once it has waited too long, one of the pool.
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await waitFor('the second look', async () => (await slow.query(waiting)).rowCount === 2);
      await slow.query('COMMIT');
      const [first] = (await answer).ids;
      await store.update(wholeFleet, first ?? '', { tags: ['heard'] }, by);
      expect([...(await inMemory()).values()].filter((shown) => shown.startsWith('heard '))).toHaveLength(1);
      expect(scans).toEqual([]);
    } finally {
      slow.release(true);
      Object.assign(app.pool, { query });
    }
  });

  it('miss nothing that changed while the connection for changes was lost', async () => {
    const { pool } = database.db;
    await memory.current();
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_snapshot_xmin%' AND pid <> pg_backend_pid()`);
    await pool.query(`UPDATE hosts SET tags = ARRAY['unheard'] WHERE display_name = 'host-000005'`);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'host-000006'`);
    // The pool may have had one of the ended connections.
    await waitFor('a change that was not reported', async () => {
      const seen = await inMemory().catch(() => null);
      return seen?.get('host-000005')?.startsWith('unheard ') === true;
    });
    expect((await inMemory()).has('host-000006')).toBe(false);
  });

  it('follow within a review what no notification reports', async () => {
    const { pool } = database.db;
    await memory.current();
    await pool.query('ALTER TABLE hosts DISABLE TRIGGER USER');
    await pool.query(`UPDATE hosts SET tags = ARRAY['silent'] WHERE display_name = 'host-000007'`);
    await pool.query(`DELETE FROM hosts WHERE display_name = 'host-000008'`);
    await pool.query('ALTER TABLE hosts ENABLE TRIGGER USER');
    const seen = shown(await memory.review());
    expect(seen.get('host-000007')).toMatch(/^silent /);
    expect(seen.has('host-000008')).toBe(false);
  });
});

it('are read anew after a backup was restored, though the first attempt fails', async () => {
  const { pool } = database.db;
  const app = database.as('api');
  const restored = createHostMemory(app);
  const query = app.pool.query;
  // The first answer is of the database before, in which more transactions had begun.
  const before = async (...args: unknown[]) => {
    const answer = await Reflect.apply(query, app.pool, args);
    for (const row of answer.rows) if ('horizon' in row) row.horizon = '1000000000';
    return answer;
  };
  Object.assign(app.pool, { query: before });
  const { ids } = await restored.current();
  Object.assign(app.pool, { query });
  await pool.query('ALTER TABLE hosts DISABLE TRIGGER USER');
  await pool.query(`UPDATE hosts SET display_name = 'restored' WHERE id = $1`, [ids[0]]);
  await pool.query('ALTER TABLE hosts ENABLE TRIGGER USER');
  const connect = app.pool.connect;
  // No transaction begins; single statements, which pass a callback, run.
  const broken = (...args: unknown[]) =>
    args.length === 0 ? Promise.reject(new Error('no connection')) : Reflect.apply(connect, app.pool, args);
  Object.assign(app.pool, { connect: broken });
  await expect(restored.current()).rejects.toThrow('no connection');
  Object.assign(app.pool, { connect });
  expect((await restored.current()).displayNames).toContain('restored');
});
