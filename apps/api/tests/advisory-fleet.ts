import { startedPer } from '@plimsoll/testing';
import type { Response } from 'supertest';
import { type ApiUnderTest, type EnrolledHost, withAdmin } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import {
  critical,
  debianKernel,
  debianOffer,
  debianPackage,
  debianRecord,
  reportingHost,
  runs,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

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

/** An API with seven advisories for Debian and eight hosts, of which "delta" is pending. */
export interface AdvisoryFleet {
  readonly api: ApiUnderTest;
  /** By name. */
  readonly hosts: ReadonlyMap<string, EnrolledHost>;
  /** As the admin. */
  get(path: string): ReturnType<ApiUnderTest['get']>;
  /** All rows of a list, read in pages of `limit`, and the different totals that the pages give. */
  pages(path: string, limit: number): Promise<{ rows: Response['body'][]; totals: readonly string[] }>;
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
  const ssh = { sourceName: 'openssh', isSecurity: true };
  const offer = debianOffer('openssh-server', ssh, '1:9.2p1-2+deb12u2', '1:9.2p1-2+deb12u3');
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
      debianOffer(
        'linux-image-amd64',
        { ...meta, sourceVersion: '6.1.123+1', isSecurity: true },
        '6.1.119-1',
        '6.1.123-1',
      ),
    ],
    ...runs('6.1.0-28-amd64', '6.1.119-1'),
  });
  const get: AdvisoryFleet['get'] = (path) => api.admin.get(`/api/v1${path}`);
  const pages: AdvisoryFleet['pages'] = async (path, limit) => {
    const whole = `/api/v1${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    const read = await readPages(api.admin, whole);
    for (const { body } of read) expect(body.length).toBeLessThanOrEqual(limit);
    return { rows: read.flatMap(({ body }) => body), totals: totalsOf(read) };
  };
  return { api, hosts, get, pages };
}
