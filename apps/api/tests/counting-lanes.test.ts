import {
  createHostCounter,
  type HostToCount,
  hasFreeLane,
  helpRecount,
  type MatchCounter,
  recountChangedHosts,
} from '@plimsoll/db';
import { createRecountHandler } from '@plimsoll/pipeline';
import { waitFor } from '@plimsoll/testing';
import type pg from 'pg';
import { apiPerTest } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { createTestLogger } from './test-logger.ts';

const api = apiPerTest();
beforeEach(async () => {
  for (const name of ['alpha', 'bravo'])
    await reportingHost(api, name, { packages: [debianPackage('openssh', '1:9.2p1-2')] as never });
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', cves: ['CVE-2024-0001'] }),
  ]);
});

const db = () => api.database.as('advisory-worker');
const { signal } = new AbortController();

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
