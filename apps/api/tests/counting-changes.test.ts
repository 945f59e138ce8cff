import {
  createHostCounter,
  type HostCounter,
  type HostToCount,
  matchUploads,
  recountChangedHosts,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost, runs } from './debian-fleet.ts';
import { defaultLag, importOsv } from './pipeline.ts';

const api = apiPerTest();
const record = (fixed: string) =>
  debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed, urgency: 'high', cves: ['CVE-2024-0001'] });
const hostWith = (name: string, version: string) =>
  reportingHost(api, name, { packages: [debianPackage('openssh', version)] as never });
const findingsOf = async ({ id }: EnrolledHost): Promise<number> => {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
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
      const { id } = await hostWith('bravo', '1:9.2p1-1');
      // Not by the API: what it shows waits until the counted hosts are judged.
      const { rows } = await api.database.db.pool.query(
        'SELECT important AS n FROM host_state WHERE host_id = $1',
        [id],
      );
      meanwhile.push(rows[0].n);
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

/** Runs `work` while an import waits that has replaced records and matches versions again. */
async function whileMatching(records: readonly object[], work: () => Promise<void>): Promise<void> {
  const holder = await api.database.db.pool.connect();
  try {
    await holder.query('BEGIN; SELECT FROM package_version_advisories FOR UPDATE');
    const imported = importOsv(api.database, records);
    await waitFor('the import to wait', async () => {
      const { rows } = await api.database.db.pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ '(INSERT INTO|DELETE FROM) (package_version_advisories|advisories)'`,
      );
      return rows.length === 1;
    });
    await work();
    await holder.query('ROLLBACK');
    await imported;
  } finally {
    holder.release();
  }
}

it('matches an upload with new versions while an import matches versions again', async () => {
  await importOsv(api.database, [record('1:9.2p1-3')]);
  const known = await hostWith('alpha', '1:9.2p1-2');
  let late: EnrolledHost | undefined;
  await whileMatching([record('1:9.2p1-2')], async () => {
    late = await hostWith('bravo', '1:9.2p1-2~1');
    const other = await hostWith('charlie', '1:9.2p1-2');
    // By the old records.
    expect([await findingsOf(late), await findingsOf(other)]).toEqual([1, 1]);
  });
  expect(await findingsOf(known)).toBe(0);
  if (late === undefined) throw new Error('the late host was not stored');
  expect(await findingsOf(late)).toBe(1);
  const { rows } = await api.database.db.pool.query(
    `SELECT fixed_version AS fixed FROM package_versions v JOIN package_version_advisories m ON m.package_version_id = v.id
     JOIN advisory_packages ap ON ap.id = m.advisory_package_id`,
  );
  expect(rows).toEqual([{ fixed: '1:9.2p1-2' }]);
});

it('matches a version by the new records that was first matched by the old ones during an import', async () => {
  await importOsv(api.database, [record('1:9.2p1-3')]);
  await hostWith('alpha', '1:9.2p1-2');
  let late: EnrolledHost | undefined;
  await whileMatching([record('1:9.2p1-1')], async () => {
    late = await hostWith('bravo', '1:9.2p1-2+b1');
    expect(await findingsOf(late)).toBe(1);
  });
  if (late === undefined) throw new Error('the late host was not stored');
  expect(await findingsOf(late)).toBe(0);
});

it('leaves an upload for later whose new version only a record affects that an import is deleting', async () => {
  const curl = debianRecord('DEBIAN-CVE-2024-0002', 'curl', { fixed: '7.88-2' });
  await importOsv(api.database, [record('1:9.2p1-3'), curl]);
  await hostWith('alpha', '1:9.2p1-2');
  let late: EnrolledHost | undefined;
  const waiting = async () => {
    const { rows } = await api.database.db.pool.query<{ id: UploadId }>(
      "SELECT id FROM uploads WHERE state = 'parsed'",
    );
    return rows.map(({ id }) => id);
  };
  await whileMatching([curl], async () => {
    const packages = [debianPackage('openssh', '1:9.2p1-1'), debianPackage('zlib', '1.2-1')];
    late = await reportingHost(api, 'bravo', { packages } as never);
    expect(await waiting()).toHaveLength(1);
    // Uploads without such a version are matched.
    await hostWith('charlie', '1:9.2p1-2');
    expect(await waiting()).toHaveLength(1);
    // Other new versions of the same upload are matched, too.
    const { rows } = await api.database.db.pool.query(
      'SELECT name, version FROM package_versions WHERE id IN (SELECT unnest(ids) FROM version_arrivals WHERE matched_at IS NULL)',
    );
    expect(rows).toEqual([{ name: 'openssh', version: '1:9.2p1-1' }]);
  });
  // As the scheduler's ring does.
  const matching = { counter: createHostCounter(), lag: defaultLag };
  await matchUploads(api.database.as('advisory-worker'), await waiting(), matching);
  expect(await waiting()).toEqual([]);
  if (late === undefined) throw new Error('the late host was not stored');
  expect(await findingsOf(late)).toBe(0);
});

it('matches new versions by the records of an import after the same process matched others by earlier ones', async () => {
  const counter = createHostCounter();
  const { pool } = api.database.db;
  const matchAgain = async () => {
    await pool.query('DELETE FROM package_version_advisories');
    await pool.query('UPDATE version_arrivals SET matched_at = NULL');
    const { rows } = await pool.query<{ id: UploadId }>("UPDATE uploads SET state = 'parsed' RETURNING id");
    const ids = rows.map(({ id }) => id);
    await matchUploads(api.database.as('advisory-worker'), ids, { counter, lag: defaultLag });
    return (await pool.query('SELECT FROM package_version_advisories')).rowCount;
  };
  await importOsv(api.database, [record('1:9.2p1-3')]);
  await hostWith('alpha', '1:9.2p1-2');
  expect(await matchAgain()).toBe(1);
  await importOsv(api.database, [record('1:9.2p1-1')]);
  expect(await matchAgain()).toBe(0);
});

it('counts a host that runs a kernel which it no longer has installed', async () => {
  const host = await reportingHost(api, 'alpha', {
    packages: [debianKernel('6.1.0-29-amd64', '6.1.123-1')] as never,
    ...runs(),
  });
  expect(await findingsOf(host)).toBe(0);
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0002', 'linux', { fixed: '6.1.120-1' })]);
  expect(await findingsOf(host)).toBe(1);
});

it('counts hosts with one package set apart if their holds, updates or facts differ', async () => {
  const report = (name: string, more: object = {}) =>
    reportingHost(api, name, {
      packages: [debianPackage('openssh', '1:9.2p1-2')],
      upgradable: [{ name: 'openssh', candidateVersion: '1:9.2p1-3', isSecurity: true }],
      ...more,
    } as never);
  await importOsv(api.database, [record('1:9.2p1-3')]);
  await report('alpha');
  await report('bravo', { packages: [debianPackage('openssh', '1:9.2p1-2', { held: true })] });
  await report('charlie', { upgradable: [] });
  await report('delta', {
    services: { restartRequired: 1, toRestart: [{ name: 'ssh.service', reason: '' }] },
  });
  await report('echo');
  const { pool } = api.database.as('advisory-worker');
  const { rows } = await pool.query<HostToCount & { readonly setId: number }>(
    `SELECT hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId", hs.set_id AS "setId"
     FROM host_state hs JOIN hosts h ON h.id = hs.host_id ORDER BY h.display_name`,
  );
  expect(new Set(rows.map(({ setId }) => setId)).size).toBe(1);
  const client = await pool.connect();
  try {
    const together = await createHostCounter().count(client, rows);
    const apart: unknown[] = [];
    for (const host of rows) apart.push(...(await createHostCounter().count(client, [host])));
    expect(together).toEqual(apart);
    expect(new Set(together.map(({ counts }) => JSON.stringify(counts))).size).toBe(4);
    // Equal hosts are counted once.
    expect(together[4]?.counts).toBe(together[0]?.counts);
  } finally {
    client.release();
  }
});
