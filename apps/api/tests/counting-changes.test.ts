import { createHostCounter, type HostCounter, recountChangedHosts } from '@plimsoll/db';
import { waitFor } from '@plimsoll/testing';
import { type ApiUnderTest, type EnrolledHost, setUp, startApi } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

let api: ApiUnderTest;
let admin: string;
beforeEach(async () => {
  api = await startApi();
  admin = await setUp(api);
});
afterEach(() => api.stop());

const record = (fixed: string) =>
  debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed, urgency: 'high', cves: ['CVE-2024-0001'] });
const hostWith = (name: string, version: string) =>
  reportingHost(api, admin, name, { packages: [debianPackage('openssh', version)] as never });
const findingsOf = async ({ id }: EnrolledHost): Promise<number> => {
  const { body } = await api.get(`/api/v1/hosts/${id}`, { token: admin });
  return (
    body.critical_count + body.important_count + body.moderate_count + body.low_count + body.unrated_count
  );
};

it('counts the hosts of an import whose process died after it had changed the records', async () => {
  const host = await hostWith('alpha', '1:9.2p1-2');
  const dying: HostCounter = { count: () => Promise.reject(new Error('killed')) };
  await expect(importOsv(api.database, [record('1:9.2p1-3')], null, dying)).rejects.toThrow('killed');
  expect(await findingsOf(host)).toBe(0);
  const recount = () =>
    recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  expect(await recount()).toBe(1);
  expect(await findingsOf(host)).toBe(1);
  expect(await recount()).toBe(0);
});

it('matches an upload by the new records while the hosts of an import are counted', async () => {
  const host = await hostWith('alpha', '1:9.2p1-2');
  const counter = createHostCounter();
  const meanwhile: number[] = [];
  const slow: HostCounter = {
    async count(client, hosts) {
      meanwhile.push(await findingsOf(await hostWith('bravo', '1:9.2p1-1')));
      return counter.count(client, hosts);
    },
  };
  await importOsv(api.database, [record('1:9.2p1-3')], null, slow);
  expect(meanwhile).toEqual([1]);
  expect(await findingsOf(host)).toBe(1);
});

it('matches an upload while the records of an import are replaced, and again by the new ones', async () => {
  await importOsv(api.database, [record('1:9.2p1-3')]);
  const holder = await api.database.db.pool.connect();
  try {
    // The import waits for this row while it replaces the records.
    await holder.query('BEGIN; SELECT FROM advisories FOR UPDATE');
    const imported = importOsv(api.database, [record('1:9.2p1-4')]);
    await waitFor('the import to wait', async () => {
      const { rows } = await api.database.db.pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO advisories%'`,
      );
      return rows.length === 1;
    });
    const host = await hostWith('alpha', '1:9.2p1-3');
    expect(await findingsOf(host)).toBe(0);
    await holder.query('ROLLBACK');
    await imported;
    expect(await findingsOf(host)).toBe(1);
  } finally {
    holder.release();
  }
});
