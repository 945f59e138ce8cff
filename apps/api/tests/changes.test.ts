import type { HostChanges } from '@plimsoll/contract';
import { ageHistory } from '@plimsoll/testing';
import { sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { critical, debianPackage, debianRecord } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();
let host: EnrolledHost;
const snapshots: string[] = [];

async function report(packages: ReturnType<typeof debianPackage>[]): Promise<void> {
  snapshots.push(await sendSnapshot(api, host, { packages, packageCount: packages.length }));
}

const openssh = debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cvss: critical });
const curl = debianRecord('DEBIAN-CVE-2024-0002', 'curl', { urgency: 'medium' });
const zlib = debianRecord('DEBIAN-CVE-2024-0003', 'zlib', { fixed: '9' });
const bash = debianRecord('DEBIAN-CVE-2024-0004', 'bash', { fixed: '9' });
const hidden = debianRecord('DEBIAN-CVE-2024-0005', 'bash', { fixed: '9', urgency: 'unimportant' });

beforeAll(async () => {
  host = await enrol(api);
  await importOsv(api.database, [openssh, curl, bash]);
  await report([
    debianPackage('openssh', '1'),
    debianPackage('curl', '1'),
    debianPackage('zlib', '5'),
    debianPackage('bash', '3'),
    debianPackage('less', '2'),
  ]);
  await ageHistory(api.database.db.pool, 2);
  const withdrawn = { fixed: '9', withdrawn: new Date(Date.now() - 3_600_000).toISOString() };
  await importOsv(api.database, [
    openssh,
    curl,
    zlib,
    debianRecord('DEBIAN-CVE-2024-0004', 'bash', withdrawn),
    hidden,
  ]);
  await report([
    debianPackage('openssh', '2'),
    debianPackage('zlib', '5'),
    debianPackage('bash', '3'),
    debianPackage('less', '1'),
    debianPackage('vim', '7'),
  ]);
});

async function changes(query = ''): Promise<HostChanges> {
  const answer = await api.admin.get(`/api/v1/hosts/${host.id}/changes${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * 3_600_000).toISOString());

describe('GET /hosts/{id}/changes', () => {
  it('lists packages that were added, removed or changed version, by name', async () => {
    const { packages } = await changes();
    expect(
      packages.map(({ kind, name, from_version, to_version }) => [kind, name, from_version, to_version]),
    ).toEqual([
      ['removed', 'curl', '1', null],
      ['downgraded', 'less', '2', '1'],
      ['upgraded', 'openssh', '1', '2'],
      ['installed', 'vim', null, '7'],
    ]);
  });

  it('lists closed findings and the cause', async () => {
    const { closed } = await changes();
    expect(
      closed.map(({ name, to_version, severity, advisories }) => [
        name,
        to_version,
        severity,
        advisories.map(({ id, cause }) => [id, cause]),
      ]),
    ).toEqual([
      ['openssh', '2', 'critical', [['DEBIAN-CVE-2024-0001', 'package_changed']]],
      ['curl', null, 'moderate', [['DEBIAN-CVE-2024-0002', 'package_changed']]],
      ['bash', '3', 'unrated', [['DEBIAN-CVE-2024-0004', 'advisory_withdrawn']]],
    ]);
  });

  it('lists opened findings and the cause', async () => {
    const { opened } = await changes();
    expect(
      opened.map(({ name, advisories }) => [name, advisories.map(({ id, cause }) => [id, cause])]),
    ).toEqual([['zlib', [['DEBIAN-CVE-2024-0003', 'advisory_published']]]]);
    const all = await changes('?include_hidden=true');
    expect(all.opened.map(({ name }) => name)).toEqual(['zlib', 'bash']);
  });

  it('is reversed from the later to the earlier snapshot', async () => {
    const [first, second] = snapshots;
    const { packages, opened } = await changes(`?from_snapshot=${second}&to_snapshot=${first}`);
    expect(packages.map(({ kind, name }) => [kind, name])).toEqual([
      ['installed', 'curl'],
      ['upgraded', 'less'],
      ['downgraded', 'openssh'],
      ['removed', 'vim'],
    ]);
    expect(opened.map(({ name, advisories }) => [name, advisories[0]?.cause])).toEqual([
      ['openssh', 'package_changed'],
      ['curl', 'package_changed'],
      ['bash', 'advisory_withdrawn'],
    ]);
  });

  it('uses the newest snapshot that had arrived by each time', async () => {
    const [first, second] = snapshots;
    const between = await changes(`?from=${ago(47)}&to=${ago(1)}`);
    expect([between.from.snapshot_id, between.to.snapshot_id]).toEqual([first, first]);
    expect(between.packages).toEqual([]);
    const later = await changes(`?from=${ago(47)}`);
    expect([later.from.snapshot_id, later.to.snapshot_id]).toEqual([first, second]);
  });

  it('marks a time before the first snapshot and uses that snapshot', async () => {
    const early = await changes(`?from=${ago(24 * 30)}`);
    expect(early.from).toMatchObject({ before_first_snapshot: true, snapshot_id: snapshots[0] });
    expect(early.packages).toHaveLength(4);
    expect((await changes(`?from=${ago(47)}`)).from.before_first_snapshot).toBe(false);
    const never = await enrol(api, { hostname: 'silent.example.org' });
    const answer = await api.admin.get(`/api/v1/hosts/${never.id}/changes`);
    expect(answer.body).toMatchObject({ from: { snapshot_id: null }, packages: [], opened: [], closed: [] });
  });

  it.each([
    [`?from=${ago(1)}&to=${ago(2)}`, 422],
    ['?from=yesterday', 422],
    ['?from=0000-01-01T00:00:00%2B23:00', 422],
    ['?to=9999-12-31T23:59:59-23:00', 422],
    ['?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', 200],
    ['?from_snapshot=x', 422],
    ['?from_snapshot=019a0000-0000-7000-8000-000000000000', 404],
  ])('answers %s with %d', async (query, status) => {
    expect((await api.admin.get(`/api/v1/hosts/${host.id}/changes${query}`)).status).toBe(status);
  });

  it('rejects a snapshot of another host', async () => {
    const other = await enrol(api, { hostname: 'other.example.org' });
    const path = `/api/v1/hosts/${other.id}/changes?from_snapshot=${snapshots[0]}`;
    expect((await api.admin.get(path)).status).toBe(404);
  });
});
