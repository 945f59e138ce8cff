import {
  countAhead,
  createHostCounter,
  type HostCounter,
  type HostToCount,
  hasFreeLane,
  helpRecount,
  type MatchCounter,
  recountChangedHosts,
} from '@plimsoll/db';
import { createRecountHandler } from '@plimsoll/pipeline';
import { waitFor } from '@plimsoll/testing';
import type pg from 'pg';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { createTestLogger } from './test-logger.ts';

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

/** A counter of which the first calls wait for `goOn`. */
function waitingCounter(calls: number) {
  const counter = createHostCounter();
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  let begun = 0;
  const slow: MatchCounter = Object.assign(Object.create(counter), {
    async count(client: pg.PoolClient, hosts: readonly HostToCount[]) {
      begun += 1;
      if (begun <= calls) await waiting;
      return counter.count(client, hosts);
    },
  });
  return { slow, goOn, begun: () => begun };
}

it('counts at most two pieces at a time in one process, whatever asks for it', async () => {
  const { pool } = api.database.db;
  const pieces = 6;
  await pool.query(
    `INSERT INTO recount_pieces (hosts)
     SELECT ARRAY[(SELECT host_id FROM host_state ORDER BY host_id LIMIT 1)] FROM generate_series(1, $1)`,
    [pieces],
  );
  const { slow, goOn, begun } = waitingCounter(2);
  expect(hasFreeLane(slow)).toBe(true);
  const first = helpRecount(db(), { counter: slow });
  await waitFor('two pieces to be counted', async () => begun() === 2);
  expect(hasFreeLane(slow)).toBe(false);
  const counted = await helpRecount(db(), { counter: slow }).finally(goOn);
  expect(counted).toBe(0);
  expect(await first).toBe(pieces);
  expect(hasFreeLane(slow)).toBe(true);
});

it('leaves everything to what counts in the process while it has no free lane', async () => {
  await api.database.db.pool.query(
    `INSERT INTO recount_pieces (hosts) SELECT ARRAY[host_id] FROM host_state`,
  );
  const { slow, goOn, begun } = waitingCounter(2);
  const counting = helpRecount(db(), { counter: slow });
  await waitFor('two pieces to be counted', async () => begun() === 2);
  const { pool } = db();
  const asked = jest.spyOn(pool, 'query');
  const connected = jest.spyOn(pool, 'connect');
  const handle = createRecountHandler({ db: db(), counter: slow, log: createTestLogger().logger });
  await handle({ share: 1 }, { signal, attempt: 1, lastAttempt: false, starts: 1 }).finally(goOn);
  expect([asked.mock.calls, connected.mock.calls]).toEqual([[], []]);
  expect(await counting).toBe(2);
});

it('tells an import of the hosts that the job of the scheduler counts in its process', async () => {
  await api.database.db.pool.query(
    `INSERT INTO version_changes (ids, releases, counted) VALUES ('', '{debian:12}', false)`,
  );
  const { slow, goOn, begun } = waitingCounter(1);
  const job = helpRecount(db(), { counter: slow });
  await waitFor('the job to count', async () => begun() === 1);
  const told = recountChangedHosts(db(), { counter: slow });
  goOn();
  expect(await Promise.all([job, told])).toEqual([2, 2]);
});
