import {
  countAhead,
  createHostCounter,
  type HostCounter,
  type HostToCount,
  hasFreeLane,
  helpRecount,
} from '@plimsoll/db';
import { waitFor } from '@plimsoll/testing';
import type pg from 'pg';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

let api: ApiUnderTest;
beforeEach(async () => {
  api = await startApi();
  const admin = await setUp(api);
  for (const name of ['alpha', 'bravo'])
    await reportingHost(api, admin, name, { packages: [debianPackage('openssh', '1:9.2p1-2')] as never });
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', cves: ['CVE-2024-0001'] }),
  ]);
});
afterEach(() => api.stop());

const db = () => api.database.as('advisory-worker');
const { signal } = new AbortController();

/** Counts all hosts, and returns the statements that it needed. */
async function statementsToCount(counter: HostCounter): Promise<readonly string[]> {
  const { rows: hosts } = await api.database.db.pool.query<HostToCount>(
    'SELECT host_id AS "hostId", snapshot_id AS "snapshotId" FROM host_state',
  );
  const client = await db().pool.connect();
  const texts: string[] = [];
  const watched = new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (text: string, values: unknown[]) => {
        texts.push(text);
        return target.query(text, values);
      };
    },
  }) as pg.PoolClient; // Only its `query` differs.
  try {
    expect(await counter.count(watched, hosts)).toHaveLength(2);
  } finally {
    client.release();
  }
  return texts;
}

const readsStatements = (texts: readonly string[]) =>
  texts.some((text) => text.includes('package_version_advisories'));

it('counts hosts ahead without storing anything, so that the first import reads less', async () => {
  const { pool } = api.database.db;
  const stored = async () =>
    (await pool.query('SELECT xmin::text, * FROM host_state ORDER BY host_id')).rows as object[];
  const before = await stored();
  const counter = createHostCounter();
  expect(await countAhead(db(), { counter, signal })).toBe(2);
  expect(await stored()).toEqual(before);
  // Another change, so that counts are made again.
  await pool.query(`INSERT INTO version_changes (ids, releases, counted) VALUES ('', '{}', true)`);
  expect(readsStatements(await statementsToCount(counter))).toBe(false);
  expect(readsStatements(await statementsToCount(createHostCounter()))).toBe(true);
});

it('counts no hosts ahead while hosts of an import are to be counted, and none once the process stops', async () => {
  const counter = createHostCounter();
  await api.database.db.pool.query(
    `INSERT INTO version_changes (ids, releases, counted) VALUES ('', '{}', false)`,
  );
  expect(await countAhead(db(), { counter, signal })).toBe(0);
  await expect(countAhead(db(), { counter, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

it('waits for uploads before it has the lock that changes of advisories wait for', async () => {
  const { pool } = api.database.db;
  const counter = createHostCounter();
  const locks: number[] = [];
  jest.spyOn(counter.uploads, 'giveWay').mockImplementation(async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    locks.push(rowCount ?? 0);
  });
  expect(await countAhead(db(), { counter, signal })).toBe(2);
  await pool.query('INSERT INTO recount_pieces (hosts) SELECT array_agg(host_id) FROM host_state');
  expect(await helpRecount(db(), { counter })).toBe(2);
  expect(locks).toEqual([0, 0]);
});

it('counts at most two pieces at a time in one process, whatever asks for it', async () => {
  const { pool } = api.database.db;
  const pieces = 6;
  await pool.query(
    `INSERT INTO recount_pieces (hosts)
     SELECT ARRAY[(SELECT host_id FROM host_state ORDER BY host_id LIMIT 1)] FROM generate_series(1, $1)`,
    [pieces],
  );
  const counter = createHostCounter();
  let calls = 0;
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const slow: HostCounter = {
    async count(client, hosts) {
      calls += 1;
      if (calls <= 2) await waiting;
      return counter.count(client, hosts);
    },
    giveWay: () => counter.giveWay(),
  };
  expect(hasFreeLane(slow)).toBe(true);
  const first = helpRecount(db(), { counter: slow });
  await waitFor('two pieces to be counted', async () => calls === 2);
  expect(hasFreeLane(slow)).toBe(false);
  const counted = await helpRecount(db(), { counter: slow }).finally(goOn);
  expect(counted).toBe(0);
  expect(await first).toBe(pieces);
  expect(hasFreeLane(slow)).toBe(true);
});
