import { startedPer } from '@plimsoll/testing';
import { type ApiUnderTest, type EnrolledHost, withAdmin } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

/** The CVSS vector of the critical records. */
export const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const openssh = (version: string) =>
  debianPackage('openssh-server', version, { sourceName: 'openssh', sourceVersion: version });
const records = [
  debianRecord('DEBIAN-CVE-2024-6387', 'openssh', {
    fixed: '1:9.2p1-2+deb12u3',
    cvss: critical,
    cves: ['CVE-2024-6387'],
    published: '2024-07-01T00:00:00Z',
  }),
  debianRecord('DSA-5724-1', 'openssh', {
    fixed: '1:9.2p1-2+deb12u3',
    cves: ['CVE-2024-6387'],
    published: '2024-07-02T00:00:00Z',
  }),
  debianRecord('DEBIAN-CVE-2023-45853', 'zlib', {
    cvss: critical,
    cves: ['CVE-2023-45853'],
    published: '2023-10-14T00:00:00Z',
    summary: '100% of MiniZip_overflows',
  }),
  debianRecord('DEBIAN-CVE-2022-3715', 'bash', {
    fixed: '5.2.15-3',
    urgency: 'unimportant',
    cves: ['CVE-2022-3715'],
    published: '2022-10-01T00:00:00Z',
  }),
  debianRecord('DEBIAN-CVE-2024-9999', 'linux', {
    fixed: '6.1.123-1',
    urgency: 'high',
    cves: ['CVE-2024-9999'],
    published: '2024-12-01T00:00:00Z',
  }),
  debianRecord('DEBIAN-CVE-2021-0001', 'openssh', {
    urgency: 'low',
    cves: ['CVE-2021-0001'],
    release: '11',
    fixed: '1:8.4p1-6',
    published: '2021-01-01T00:00:00Z',
  }),
  debianRecord('DEBIAN-CVE-2020-0002', 'openssh', {
    cves: ['CVE-2020-0002'],
    published: '2020-01-01T00:00:00Z',
    withdrawn: '2020-02-01T00:00:00Z',
  }),
];
const kernels = [debianKernel('6.1.0-28-amd64', '6.1.119-1'), debianKernel('6.1.0-29-amd64', '6.1.123-1')];
const runs = (release: string, version: string) => ({
  kernel: {
    runningRelease: release,
    runningVersion: `#1 SMP PREEMPT_DYNAMIC Debian ${version} (2024-11-22)`,
  },
});

/** An API with seven advisories for Debian and eight hosts, of which "delta" is pending. */
export interface AdvisoryFleet {
  readonly api: ApiUnderTest;
  /** By name. */
  readonly hosts: ReadonlyMap<string, EnrolledHost>;
  /** As the admin. */
  get(path: string): ReturnType<ApiUnderTest['get']>;
  /** All rows of a list, read in pages of `limit`, and the different totals that the pages give. */
  pages(path: string, limit: number): ReturnType<typeof readPages>;
}

/** The fleet of all tests of a file or of a `describe`. */
export function advisoryFleetPerFile(): AdvisoryFleet {
  return startedPer('file', startAdvisoryFleet, ({ api }) => api.stop());
}

/** Starts the API with its advisories and hosts; stop `api` in afterAll. */
export async function startAdvisoryFleet(): Promise<AdvisoryFleet> {
  const api = await withAdmin();
  const hosts = new Map<string, EnrolledHost>();
  await importOsv(api.database, records);
  await api.database.db.pool.query(
    `INSERT INTO cves (id, epss, exploited_since, ssvc_exploitation, ssvc_automatable, ssvc_impact, ssvc_at) VALUES
       ('CVE-2024-6387', 0.75, '2024-07-04', 'poc', false, 'total', '2024-07-01T12:00:00Z'),
       ('CVE-2099-0001', 0.1, NULL, NULL, NULL, NULL, NULL)`,
  );
  const add = async (name: string, changes: Parameters<typeof reportingHost>[2]) =>
    hosts.set(name, await reportingHost(api, name, changes));
  const offer = {
    name: 'openssh-server',
    architecture: 'amd64',
    installedVersion: '1:9.2p1-2+deb12u2',
    candidateVersion: '1:9.2p1-2+deb12u3',
    repository: 'debian-security',
    isSecurity: true,
    sourceName: 'openssh',
    sourceVersion: '1:9.2p1-2+deb12u3',
  };
  await add('alpha', { upgradable: [offer] });
  await add('bravo', {});
  await add('charlie', { packages: [openssh('1:9.2p1-2+deb12u3')] });
  await add('delta', { packages: [openssh('1:9.2p1-2+deb12u1')], autoApprove: false });
  await add('echo', { packages: kernels, ...runs('6.1.0-28-amd64', '6.1.119-1') });
  await add('foxtrot', { packages: kernels, ...runs('6.1.0-29-amd64', '6.1.123-1') });
  await add('golf', { packages: [debianPackage('zlib1g', '1:1.2.13', { sourceName: 'zlib' })] });
  const meta = { sourceName: 'linux-signed-amd64', sourceVersion: '6.1.119+1' };
  await add('hotel', {
    packages: [kernels[0] ?? {}, debianPackage('linux-image-amd64', '6.1.119-1', { ...meta, held: true })],
    upgradable: [
      {
        ...offer,
        ...meta,
        name: 'linux-image-amd64',
        installedVersion: '6.1.119-1',
        candidateVersion: '6.1.123-1',
        sourceVersion: '6.1.123+1',
      },
    ],
    ...runs('6.1.0-28-amd64', '6.1.119-1'),
  });
  const get: AdvisoryFleet['get'] = (path) => api.admin.get(`/api/v1${path}`);
  return { api, hosts, get, pages: (path, limit) => readPages(get, path, limit) };
}

async function readPages(get: AdvisoryFleet['get'], path: string, limit: number) {
  const rows = [];
  const totals = new Set<string>();
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let n = 0; next !== undefined && n < 50; n += 1) {
    const answer: Awaited<ReturnType<typeof get>> = await get(next);
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThanOrEqual(limit);
    rows.push(...answer.body);
    totals.add(String(answer.headers['x-total-count']));
    next = /^<.*\/api\/v1([^>]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
  }
  return { rows, totals: [...totals] };
}
