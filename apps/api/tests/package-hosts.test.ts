import { rpmPlatform, sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianPackage, reportingHost } from './debian-fleet.ts';

const api = apiPerFile();

beforeAll(async () => {
  await reportingHost(api, 'debian-old', { packages: [debianPackage('openssl', '3.0.15-1~deb12u1')] });
  await reportingHost(api, 'debian-new', { packages: [debianPackage('openssl', '3.0.20-1~deb12u1')] });
  await reportingHost(api, 'debian-odd', { packages: [debianPackage('openssl', 'built by hand')] });
  await reportingHost(api, 'debian-without', { packages: [debianPackage('bash', '5.2.15-2')] });
  await reportingHost(api, 'debian-waiting', {
    packages: [debianPackage('openssl', '3.0.15-1~deb12u1')],
    autoApprove: false,
  });
  for (const [hostname, release] of [
    ['rhel-old', '1:3.0.1-43.el9_0'],
    ['rhel-new', '1:3.5.1-3.el9'],
  ] as const) {
    await rpmHost(hostname, release);
  }
  await enrol(api, { hostname: 'silent', autoApprove: true });
  await enrol(api, { hostname: 'silent-waiting', autoApprove: false });
});

async function rpmHost(hostname: string, version: string): Promise<void> {
  const packages = [{ name: 'openssl', architecture: 'x86_64', version }];
  await sendSnapshot(api, await enrol(api, { hostname }), {
    platform: rpmPlatform('rhel', '9.0', hostname),
    packages,
    packageCount: packages.length,
  });
}

async function below(version: string, paging = '') {
  const path = `/api/v1/packages?name=openssl&version_lt=${encodeURIComponent(version)}${paging}`;
  const { body, headers } = await api.admin.get(path);
  const rows: { display_name: string; packages: { comparison: string; epochs: string }[] }[] = body;
  return {
    hosts: rows.map((row) => `${row.display_name} ${row.packages[0]?.comparison}`),
    epochs: new Set(rows.flatMap(({ packages }) => packages.map(({ epochs }) => epochs))),
    total: headers['x-total-count'],
    said: [headers['plimsoll-epochs'], headers['plimsoll-not-comparable'], headers['plimsoll-not-reported']],
  };
}

describe('the hosts with a package below a version', () => {
  it('are of both families if the version has no epoch, and the answer says so', async () => {
    expect(await below('3.0.20')).toEqual({
      hosts: ['debian-odd unknown', 'debian-old lower', 'rhel-old lower'],
      epochs: new Set(['ignored']),
      total: '3',
      said: ['ignored', '1', '1'],
    });
  });

  it('are compared with epochs if the version has one', async () => {
    expect(await below('1:3.0.20')).toEqual({
      hosts: ['debian-new lower', 'debian-odd unknown', 'debian-old lower', 'rhel-old lower'],
      epochs: new Set(['compared']),
      total: '4',
      said: ['compared', '1', '1'],
    });
    expect((await below('0:3.0.20')).hosts).toEqual(['debian-odd unknown', 'debian-old lower']);
  });

  it('count incomparable versions on all pages, not on one', async () => {
    const page = await below('3.0.20', '&limit=1');
    expect([page.hosts, page.total, page.said[1]]).toEqual([['debian-odd unknown'], '3', '1']);
  });

  it('are all in the table for spreadsheets, with the hosts whose packages are not known', async () => {
    const { text, headers } = await api.admin.get('/api/v1/packages.csv?name=openssl&version_lt=3.0.20');
    expect(headers['content-disposition']).toContain('plimsoll-openssl-hosts.csv');
    const [columns = [], ...rows] = text
      .trim()
      .split('\r\n')
      .map((line) => line.replaceAll(/["\uFEFF]/g, '').split(','));
    const cellsOf = (...names: string[]) =>
      rows.map((row) => names.map((name) => row[columns.indexOf(name)]).join(' '));
    expect(cellsOf('display_name', 'version', 'comparison', 'reported')).toEqual([
      'debian-odd built by hand unknown true',
      'debian-old 3.0.15-1~deb12u1 lower true',
      'rhel-old 1:3.0.1-43.el9_0 lower true',
      'silent   false',
    ]);
    expect((await api.admin.get('/api/v1/packages.csv?name=a&version_lt=a%20b')).status).toBe(422);
  });

  it('have beside them a count of hosts without a report', async () => {
    const { body, headers } = await api.admin.get('/api/v1/packages?name=no-such-package');
    expect([body, headers['plimsoll-not-reported']]).toEqual([[], '1']);
    expect([headers['plimsoll-epochs'], headers['plimsoll-not-comparable']]).toEqual([undefined, undefined]);
  });
});
