import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ExposureAnswer } from '@plimsoll/contract';
import { createHostCounter, createInterner, withFeedImport } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { rpmPlatform, type SnapshotChanges, sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';

const api = apiPerFile();
const libs = (vendor: string) => ({
  name: 'openssl-libs',
  architecture: 'x86_64',
  version: '1:3.0.7-24.el9',
  sourceName: 'openssl',
  sourceVersion: '3.0.7-24.el9',
  vendor,
});
let hosts = 0;
const send = (host: EnrolledHost, hostname: string, rest: SnapshotChanges) => {
  const platform = rpmPlatform(hostname.split('-')[0] ?? '', '9.4', hostname);
  return sendSnapshot(api, host, { platform, packageCount: 1, ...rest } as SnapshotChanges); // As its fields are.
};
const report = async (osId: string, vendor: string, rest: SnapshotChanges = {}): Promise<EnrolledHost> => {
  hosts += 1;
  const hostname = `${osId}-${hosts}.example.org`;
  const host = await enrol(api, { hostname });
  await send(host, hostname, { packages: [libs(vendor)], ...rest } as SnapshotChanges);
  return host;
};
const get = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;
const listed = async ({ id }: EnrolledHost, more = '') =>
  (await get(`/hosts/${id}/packages/vulnerable?include_unfixed=true${more}`)).map(
    (row: { name: string; fix_state: string; advisories: readonly { id: string }[] }) =>
      `${row.name} ${row.fix_state} ${row.advisories.map((advisory) => advisory.id).join(' ')}`,
  );
const unfixed = (name: string, fix_state = 'Will not fix') => ({
  name,
  threat_severity: 'Moderate',
  public_date: '2024-01-02T00:00:00Z',
  bugzilla: { description: 'openssl: something' },
  package_state: [{ cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state, package_name: 'openssl' }],
});

const erratum = (id: string, ecosystem: string, fixed: string) => ({
  id,
  modified: '2026-01-02T00:00:00Z',
  published: '2026-01-01T00:00:00Z',
  upstream: ['CVE-2026-9101'],
  affected: [
    {
      package: { ecosystem, name: 'openssl-libs' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
});

describe("Red Hat's statement on a source without a fix", () => {
  it('applies to its binaries on rebuilds too, in either order of arrival, and goes with the record', async () => {
    const rhel = await report('rhel', 'Red Hat, Inc.');
    await importOsv(api.database, [unfixed('CVE-2024-0001'), unfixed('CVE-2024-0002')], 'redhat-cve');
    const alma = await report('almalinux', 'AlmaLinux');
    const both = ['openssl-libs will_not_fix CVE-2024-0001 CVE-2024-0002'];
    expect(await listed(rhel)).toEqual(both);
    expect(await listed(alma)).toEqual(both);
    const [row] = await get(`/hosts/${alma.id}/packages/vulnerable?include_unfixed=true`);
    expect(row.advisories[0].url).toBe('https://access.redhat.com/security/cve/CVE-2024-0001');
    expect(row.evidence.notes.map(({ code }: { code: string }) => code)).toContain('upstream_statement');
    const { records } = await get('/advisories/CVE-2024-0001');
    expect(
      records[0].packages.map((entry: { release: string; names: string }) => [entry.release, entry.names]),
    ).toEqual([
      ['almalinux:9', 'upstream_source'],
      ['oracle:9', 'upstream_source'],
      ['rhel:9', 'source'],
      ['rocky:9', 'upstream_source'],
    ]);
    await importOsv(api.database, [unfixed('CVE-2024-0002')], 'redhat-cve');
    expect(await listed(rhel)).toEqual(['openssl-libs will_not_fix CVE-2024-0002']);
    expect(await listed(alma)).toEqual(['openssl-libs will_not_fix CVE-2024-0002']);
    expect(await get(`/hosts/${alma.id}`)).toMatchObject({
      unfixed_count: 1,
      critical_count: 0,
      important_count: 0,
    });
  });
});

describe("a repository's content", () => {
  const enabling = (id: string, enabled = true) =>
    ({ repositories: [{ id, url: '', enabled, suite: '', origin: '' }] }) as unknown as SnapshotChanges;
  const say = (repository: string, products: readonly string[]) => {
    const { db } = api.database;
    return withFeedImport({ db, interner: createInterner(db) }, async (session) => {
      const staged = { feedId: 'redhat-repository-to-cpe', item: { repository, products }, place: '' };
      await session.stage('repositories', [staged], { mayGoBack: true });
      const end = { importId: null, recordsRead: 1, recordsRejected: 0, errors: [], sync: null };
      await session.finish({ ...end, completeFeeds: [], feeds: new Map() }, createHostCounter());
    });
  };
  const waiting = async () => {
    const { rows } = await api.database.db.pool.query<{ id: UploadId; hostId: string }>(
      `SELECT id, host_id AS "hostId" FROM uploads WHERE state = 'received'`,
    );
    return rows;
  };

  it('makes hosts that enabled it be parsed again when it changes, and no others', async () => {
    const host = await report('rhel', 'Red Hat, Inc.', enabling('eus-rpms'));
    await report('rhel', 'Red Hat, Inc.', enabling('eus-rpms', false));
    await report('rhel', 'Red Hat, Inc.', enabling('other-rpms'));
    await say('eus-rpms', ['rhel_eus:9.4::baseos']);
    const [again, ...others] = await waiting();
    expect([again?.hostId, others]).toEqual([host.id, []]);
    if (again !== undefined) await parseAndMatch(api.database, [again.id]);
    await say('eus-rpms', ['rhel_eus:9.4::baseos']);
    expect(await waiting()).toEqual([]);
  });

  it('counts from when it is known: what was answered before stays, and no host is fresher', async () => {
    await importOsv(api.database, [
      erratum('RHSA-2026:9101', 'Red Hat:enterprise_linux:9::baseos', '1:3.0.7-30.el9'),
      erratum('RHSA-2026:9102', 'Red Hat:rhel_eus:9.4::baseos', '1:3.0.7-24.el9'),
    ]);
    await say('line-rpms', ['enterprise_linux:9::baseos']);
    const host = await report('rhel', 'Red Hat, Inc.', enabling('line-rpms'));
    const now = await listed(host);
    expect(now).toEqual([expect.stringContaining('RHSA-2026:9101')]);
    const before = await get(`/hosts/${host.id}`);
    const at = new Date().toISOString();
    await say('line-rpms', ['rhel_eus:9.4::baseos']);
    for (const { id } of await waiting()) await parseAndMatch(api.database, [id]);
    expect(await listed(host)).not.toEqual([expect.stringContaining('RHSA-2026:')]);
    expect(await listed(host, `&at=${at}`)).toEqual(now);
    const exposures: readonly ExposureAnswer[] = await get(`/hosts/${host.id}/exposures`);
    const [exposure, ...more] = exposures.filter(({ advisory_id: id }) => id.startsWith('RHSA'));
    expect([exposure?.advisory_id, more]).toEqual(['RHSA-2026:9101', []]);
    expect((exposure?.until ?? '') > at).toBe(true);
    const [newest, first] = await get(`/hosts/${host.id}/snapshots`);
    expect([first.received_at < at, newest.received_at > at]).toEqual([true, true]);
    const after = await get(`/hosts/${host.id}`);
    expect([after.last_seen_at, after.reported_at]).toEqual([before.last_seen_at, before.reported_at]);
    const to = new Date().toISOString();
    expect((await get(`/hosts/${host.id}/plan`)).snapshot_received_at).toBe(first.received_at);
    await send(host, after.hostname, { packages: [libs('Another')] } as unknown as SnapshotChanges);
    const { hosts: all, silent_hosts: silent } = await get(`/fleet/time-to-patch?from=${at}&to=${to}`);
    expect(silent).toBe(all);
  });

  it('is not read anew from a report that a newer one replaced meanwhile', async () => {
    const { pool } = api.database.db;
    const host = await report('rhel', 'Red Hat, Inc.', enabling('race-rpms'));
    const { hostname } = await get(`/hosts/${host.id}`);
    await send(host, hostname, { ...enabling('race-rpms'), packages: [libs('Another')] } as SnapshotChanges);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM host_contacts WHERE host_id = $1 FOR UPDATE', [host.id]);
    const said = say('race-rpms', ['enterprise_linux:9::baseos']);
    await waitFor('the import to wait for the host', async () => {
      const { rows } = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    await holder.query(
      `UPDATE host_state SET snapshot_id = (SELECT id FROM snapshots WHERE host_id = $1 ORDER BY sequence LIMIT 1)
       WHERE host_id = $1`,
      [host.id],
    );
    await holder.query('COMMIT');
    holder.release();
    await said;
    expect(await waiting()).toEqual([]);
  });

  it('leaves it known until when the report was confirmed', async () => {
    const { pool } = api.database.db;
    await say('kept-rpms', ['enterprise_linux:9::baseos']);
    const host = await report('rhel', 'Red Hat, Inc.', enabling('kept-rpms'));
    await say('kept-rpms', ['rhel_eus:9.4::baseos']);
    await pool.query('UPDATE host_contacts SET last_confirmed_at = now() WHERE host_id = $1', [host.id]);
    for (const { id } of await waiting()) await parseAndMatch(api.database, [id]);
    const { rows } = await pool.query(
      `SELECT prior_confirmed_at = received_at AS "isKept" FROM snapshots WHERE host_id = $1 ORDER BY sequence DESC LIMIT 1`,
      [host.id],
    );
    expect(rows).toEqual([{ isKept: true }]);
  });

  it('does not count as a contact of the host in a folded month', async () => {
    const { pool } = api.database.db;
    await say('month-rpms', ['enterprise_linux:9::baseos']);
    const host = await report('rhel', 'Red Hat, Inc.', enabling('month-rpms'));
    await say('month-rpms', ['rhel_eus:9.4::baseos']);
    for (const { id } of await waiting()) await parseAndMatch(api.database, [id]);
    const { hostname } = await get(`/hosts/${host.id}`);
    for (const vendor of ['Another', 'A third'])
      await send(host, hostname, { ...enabling('month-rpms'), packages: [libs(vendor)] } as SnapshotChanges);
    const days = ['2026-01-05', '2026-01-07', '2026-01-10'].map((day) => `${day}T00:00:00.000Z`);
    const [sent, again, next] = days;
    await pool.query(
      `UPDATE snapshots SET received_at = d.at, reported_at = CASE WHEN d.n = 2 THEN $3::timestamptz END,
         prior_confirmed_at = CASE WHEN d.n > 1 THEN $3::timestamptz END
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS d (at, n) WHERE host_id = $1 AND sequence = (
         SELECT sequence FROM snapshots WHERE host_id = $1 ORDER BY sequence OFFSET d.n - 1 LIMIT 1)`,
      [host.id, days, sent],
    );
    await pool.query(
      `SELECT fold_snapshots('month', '-infinity', now(), (SELECT max(host_id::text)::uuid FROM host_state WHERE host_id < $1), 1)`,
      [host.id],
    );
    const { rows } = await pool.query(
      `SELECT f.silent_from AS "from", f.silent_until AS "until" FROM folded_snapshots f JOIN snapshots s ON s.id = f.snapshot_id
       WHERE s.host_id = $1`,
      [host.id],
    );
    expect(JSON.parse(JSON.stringify(rows))).toEqual([{ from: [sent, sent], until: [again, next] }]);
  });
});

it('what a vendor advises without a fix is shown and exported', async () => {
  const sample = '../../../packages/advisories/testdata/redhat/CVE-2023-38545.vex.json';
  const record = JSON.parse(readFileSync(path.resolve(__dirname, sample), 'utf8')) as object;
  await importOsv(api.database, [record], 'redhat-vex');
  const { records } = await get('/advisories/CVE-2023-38545');
  expect(records[0].workarounds).toMatchObject([
    {
      text: expect.stringContaining('CURLPROXY_'),
      source_url: 'https://access.redhat.com/security/cve/CVE-2023-38545',
      packages: expect.arrayContaining(['curl']),
    },
  ]);
  const version = '7.76.1-23.el9';
  const curl = { name: 'curl', architecture: 'x86_64', version, sourceName: 'curl', sourceVersion: version };
  const { id } = await report('rhel', '', { packages: [{ ...curl, vendor: 'Red Hat, Inc.' }] });
  const { vulnerabilities } = await get(`/hosts/${id}/sbom`);
  const [{ text, source_url }] = records[0].workarounds;
  expect(vulnerabilities).toMatchObject([{ workaround: text }]);
  const [finding] = await get(`/hosts/${id}/packages/vulnerable?include_unfixed=true`);
  expect(finding.advisories).toMatchObject([{ workarounds: [{ text, source_url }] }]);
  for (const by of ['advisory', 'cve']) {
    const csv = (await api.admin.get(`/api/v1/findings.csv?group_by=${by}&cve=CVE-2023-38545`)).text;
    expect([by, csv.includes('CURLPROXY_')]).toEqual([by, true]);
  }
});
