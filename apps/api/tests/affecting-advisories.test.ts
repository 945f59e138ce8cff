import type { Advisory } from '@plimsoll/contract';
import { waitFor } from '@plimsoll/testing';
import { apiPerFile } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import { critical, debianKernel, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();
let pending: string;

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cves: ['CVE-2024-0001'], cvss: critical }),
    debianRecord('DEBIAN-CVE-2024-0002', 'openssh', { urgency: 'low', cves: ['CVE-2024-0002'] }),
    debianRecord('DEBIAN-CVE-2024-0003', 'curl', { fixed: '2', cves: ['CVE-2024-0003'] }),
    debianRecord('DEBIAN-CVE-2024-0004', 'nginx', { fixed: '2' }),
    debianRecord('DEBIAN-CVE-2024-0005', 'curl', { urgency: 'unimportant' }),
    debianRecord('DEBIAN-CVE-2024-0006', 'linux', { fixed: '6.1.123-1', cves: ['CVE-2024-0006'] }),
    debianRecord('DSA-5724-1', 'openssh', { fixed: '2', cves: ['CVE-2024-0001'] }),
    debianRecord('DSA-5725-1', 'zlib', { fixed: '9' }),
    debianRecord('DSA-5726-1', 'openssh', {
      fixed: '2',
      cves: ['CVE-2024-0001'],
      withdrawn: '2024-08-01T00:00:00Z',
    }),
  ]);
  const openssh = debianPackage('openssh', '1');
  const client = debianPackage('openssh-client', '1', { sourceName: 'openssh' });
  const kernels = [debianKernel('6.1.0-28-amd64', '6.1.119-1'), debianKernel('6.1.0-27-amd64', '6.1.115-1')];
  const running = { kernel: { runningRelease: '6.1.0-28-amd64' } };
  for (const n of [1, 2, 3]) {
    await reportingHost(api, `ssh-${n}.example.org`, { packages: [openssh, client] });
  }
  await reportingHost(api, 'all.example.org', {
    packages: [openssh, debianPackage('curl', '1'), debianPackage('zlib', '5'), ...kernels],
    ...running,
  });
  await reportingHost(api, 'fixed.example.org', { packages: [debianPackage('openssh', '2')] });
  // The same packages as another host, but it runs its kernel.
  await reportingHost(api, 'other-kernel.example.org', {
    packages: [openssh, debianPackage('curl', '1'), debianPackage('zlib', '5'), ...kernels],
    kernel: { runningRelease: '6.1.0-99-other' },
  });
  const facts = { packages: [debianPackage('nginx', '1'), debianPackage('curl', '1')], autoApprove: false };
  pending = (await reportingHost(api, 'pending.example.org', facts)).id;
});

async function list(query: string): Promise<Advisory[]> {
  const answer = await api.admin.get(`/api/v1/advisories?${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('GET /advisories?affected=true', () => {
  it('has exactly the advisories that affect a host, with the same counts as each has alone', async () => {
    const all = await list('include_hosts=true');
    const affecting = all.filter(({ affected_hosts }) => (affected_hosts?.total ?? 0) > 0);
    const found = await list('affected=true');
    expect(found).toEqual(affecting);
    expect(found.map(({ id }) => id).sort()).toEqual([
      'DEBIAN-CVE-2024-0001',
      'DEBIAN-CVE-2024-0002',
      'DEBIAN-CVE-2024-0003',
      'DEBIAN-CVE-2024-0006',
      'DSA-5724-1',
      'DSA-5725-1',
    ]);
  });

  it('has no withdrawn erratum, although the record of its CVE affects hosts', async () => {
    const { body } = await api.admin.get('/api/v1/advisories/DSA-5726-1');
    expect(body).toMatchObject({
      records: [{ withdrawn_at: '2024-08-01T00:00:00.000Z' }],
      affected_hosts: { total: 0 },
    });
    expect((await api.admin.get('/api/v1/advisories/DSA-5726-1/hosts')).body).toEqual([]);
  });

  it.each(['-affected_hosts', 'severity', '-published_at'])(
    'in the order %s goes page by page',
    async (sort) => {
      const whole = await list(`affected=true&sort=${sort}`);
      const pages = await readPages(api.admin, `/api/v1/advisories?affected=true&sort=${sort}&limit=2`);
      expect(totalsOf(pages)).toEqual(['6']);
      const seen = pages.flatMap(({ body }) => body.map(({ id }: Advisory) => id));
      expect(seen).toEqual(whole.map(({ id }) => id));
    },
  );

  it('can be sorted by number of hosts or by severity', async () => {
    const counts = (await list('affected=true&sort=-affected_hosts')).map(
      (row) => row.affected_hosts?.total ?? 0,
    );
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts[0]).toBeGreaterThan(counts.at(-1) ?? 0);
    expect((await list('affected=true&sort=severity'))[0]?.severity).toBe('critical');
  });

  it('accepts all other filters too', async () => {
    const ids = async (query: string) => (await list(`affected=true&${query}`)).map(({ id }) => id);
    expect(await ids('q=CVE-2024-0003')).toEqual(['DEBIAN-CVE-2024-0003']);
    expect(await ids('severity=critical&sort=severity&release=debian:12')).toEqual([
      'DSA-5724-1',
      'DEBIAN-CVE-2024-0001',
    ]);
    expect(await ids('q=nginx')).toEqual([]);
    for (const query of ['sort=severity', 'sort=-affected_hosts', 'affected=true&sort=title']) {
      expect((await api.admin.get(`/api/v1/advisories?${query}`)).status).toBe(422);
    }
  });
});

describe('GET /package-names', () => {
  const names = async (query: string) => {
    const answer = await api.admin.get(`/api/v1/package-names?${query}`);
    expect(answer.status).toBe(200);
    return answer.body as { name: string; hosts: number }[];
  };

  it('finds names by a part of them, the exact name and names starting with it first', async () => {
    expect((await names('q=OPENSSH')).map(({ name }) => name)).toEqual(['openssh', 'openssh-client']);
    expect((await names('q=amd64&limit=1')).map(({ name }) => name)).toHaveLength(1);
    expect(await names('q=%25')).toEqual([]);
    expect((await api.admin.get('/api/v1/package-names?q=')).status).toBe(422);
  });

  it('finds the names of packages that are built from a source package', async () => {
    expect(await names('source=openssh')).toEqual([
      { name: 'openssh', hosts: 6 },
      { name: 'openssh-client', hosts: 3 },
    ]);
    expect(await names('source=openssh&q=client')).toEqual([{ name: 'openssh-client', hosts: 3 }]);
    expect(await names('source=openssh-client')).toEqual([]);
    // Only a host that waits for approval has it.
    expect(await names('source=nginx')).toEqual([]);
  });

  it('includes an approved host after a while', async () => {
    expect((await api.admin.post(`/api/v1/hosts/${pending}/approve`)).status).toBe(200);
    await waitFor('its packages to count', async () => (await names('q=nginx'))[0]?.hosts === 1);
    await waitFor('its advisories to count', async () =>
      (await list('affected=true')).some(({ id }) => id === 'DEBIAN-CVE-2024-0004'),
    );
  });
});
