import { type ApiUnderTest, type EnrolledHost, setUp, startApi } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
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
const newestFirst = [
  'DEBIAN-CVE-2024-9999',
  'DSA-5724-1',
  'DEBIAN-CVE-2024-6387',
  'DEBIAN-CVE-2023-45853',
  'DEBIAN-CVE-2022-3715',
  'DEBIAN-CVE-2021-0001',
  'DEBIAN-CVE-2020-0002',
];
const kernels = [debianKernel('6.1.0-28-amd64', '6.1.119-1'), debianKernel('6.1.0-29-amd64', '6.1.123-1')];
const runs = (release: string, version: string) => ({
  kernel: {
    runningRelease: release,
    runningVersion: `#1 SMP PREEMPT_DYNAMIC Debian ${version} (2024-11-22)`,
  },
});

let api: ApiUnderTest;
let token: string;
const hosts = new Map<string, EnrolledHost>();
/** CISA's answers about CVE-2024-6387. */
const decision = {
  exploitation: 'poc',
  automatable: false,
  technical_impact: 'total',
  decided_at: '2024-07-01T12:00:00.000Z',
};

beforeAll(async () => {
  api = await startApi();
  token = await setUp(api);
  await importOsv(api.database, records);
  await api.database.db.pool.query(
    `INSERT INTO cves (id, epss, exploited_since, ssvc_exploitation, ssvc_automatable, ssvc_impact, ssvc_at) VALUES
       ('CVE-2024-6387', 0.75, '2024-07-04', 'poc', false, 'total', '2024-07-01T12:00:00Z'),
       ('CVE-2099-0001', 0.1, NULL, NULL, NULL, NULL, NULL)`,
  );
  const add = async (name: string, changes: Parameters<typeof reportingHost>[3]) =>
    hosts.set(name, await reportingHost(api, token, name, changes));
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
});
afterAll(() => api.stop());

const get = (path: string) => api.get(`/api/v1${path}`, { token });
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const namesOf = (rows: readonly { display_name: string }[]) => rows.map((row) => row.display_name);

/** All rows of a list, read page by page, with the totals that the pages give. */
async function pages(path: string, limit: number) {
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

describe('the list of advisories', () => {
  it('has all advisories of the feeds, newest first', async () => {
    const { body, headers } = await get('/advisories');
    expect(idsOf(body)).toEqual(newestFirst);
    expect([headers['x-total-count'], headers['link']]).toEqual(['7', undefined]);
    expect(body[2]).toEqual({
      id: 'DEBIAN-CVE-2024-6387',
      feed: 'debian-osv',
      kind: 'vulnerability',
      title: 'openssh has a flaw',
      url: expect.stringContaining('CVE-2024-6387'),
      severity: 'critical',
      published_at: '2024-07-01T00:00:00.000Z',
      modified_at: '2024-12-05T14:55:52.000Z',
      withdrawn_at: null,
      aliases: [],
      cves: ['CVE-2024-6387'],
      releases: ['debian:12'],
      known_exploited: false,
      epss: 0.75,
      affected_hosts: null,
    });
  });

  it.each([1, 2, 3, 7])('has the same order in pages of %d as in one answer', async (limit) => {
    const { rows, totals } = await pages('/advisories', limit);
    expect([idsOf(rows), totals]).toEqual([newestFirst, ['7']]);
  });

  it.each([
    ['q=cve-2024-6387', ['DSA-5724-1', 'DEBIAN-CVE-2024-6387']],
    ['q=dsa-5724', ['DSA-5724-1']],
    ['q=minizip_', ['DEBIAN-CVE-2023-45853']],
    ['q=100%25', ['DEBIAN-CVE-2023-45853']],
    ['q=%25', ['DEBIAN-CVE-2023-45853']],
    ['q=%27%20OR%201=1', []],
    ['severity=critical', ['DSA-5724-1', 'DEBIAN-CVE-2024-6387', 'DEBIAN-CVE-2023-45853']],
    ['severity=none', ['DEBIAN-CVE-2022-3715']],
    ['known_exploited=true', []],
    ['feed=debian-osv&severity=low', ['DEBIAN-CVE-2021-0001']],
    ['feed=nothing', []],
    ['release=debian:11', ['DEBIAN-CVE-2021-0001']],
    ['release=debian:11&severity=low', ['DEBIAN-CVE-2021-0001']],
    ['release=debian:12&severity=low', []],
    ['release=nothing', []],
  ])('with %s', async (query, ids) => {
    const { body, headers } = await get(`/advisories?${query}`);
    expect([idsOf(body), headers['x-total-count']]).toEqual([ids, String(ids.length)]);
    expect(idsOf((await pages(`/advisories?${query}`, 1)).rows)).toEqual(ids);
  });

  it('continues after advisories without a date', async () => {
    const { pool } = api.database.db;
    const undated = `UPDATE advisories SET published_at = NULL WHERE external_id LIKE 'DEBIAN-CVE-2024-%'`;
    await pool.query(undated);
    const whole = idsOf((await get('/advisories')).body);
    expect(whole.slice(0, 5)).not.toContain('DEBIAN-CVE-2024-9999');
    expect(idsOf((await pages('/advisories', 1)).rows)).toEqual(whole);
    await pool.query(
      `UPDATE advisories SET published_at = CASE external_id WHEN 'DEBIAN-CVE-2024-9999'
         THEN '2024-12-01T00:00:00Z'::timestamptz ELSE '2024-07-01T00:00:00Z' END WHERE published_at IS NULL`,
    );
  });

  it('counts the hosts of each on request, as the list of affected hosts does', async () => {
    const { body } = await get('/advisories?include_hosts=true');
    const counts = Object.fromEntries(
      body.map((row: { id: string; affected_hosts: { total: number; with_fix: number } }) => [
        row.id,
        [row.affected_hosts.total, row.affected_hosts.with_fix],
      ]),
    );
    expect(counts).toEqual({
      'DEBIAN-CVE-2024-9999': [2, 2],
      'DSA-5724-1': [2, 2],
      'DEBIAN-CVE-2024-6387': [2, 2],
      'DEBIAN-CVE-2023-45853': [3, 0],
      'DEBIAN-CVE-2022-3715': [0, 0],
      'DEBIAN-CVE-2021-0001': [0, 0],
      'DEBIAN-CVE-2020-0002': [0, 0],
    });
    for (const id of Object.keys(counts)) {
      const { headers, body: rows } = await get(`/advisories/${id}/hosts`);
      expect([id, headers['x-total-count'], rows.length]).toEqual([id, String(counts[id][0]), counts[id][0]]);
      expect((await get(`/advisories/${id}`)).body.affected_hosts.total).toBe(rows.length);
    }
  });

  it.each([
    ['?q=', '/q'],
    ['?q=%00', '/q'],
    [`?q=${'a'.repeat(201)}`, '/q'],
    ['?severity=worst', '/severity'],
    ['?known_exploited=maybe', '/known_exploited'],
    ['?limit=0', '/limit'],
    ['?limit=1001', '/limit'],
    ['?cursor=abc', '/cursor'],
    [`?cursor=${Buffer.from('{"p":"yesterday","k":1}').toString('base64url')}`, '/cursor'],
    [`?cursor=${Buffer.from('{"p":null,"k":99999999999}').toString('base64url')}`, '/cursor'],
    ['?colour=red', '/colour'],
  ])('is not given for %s', async (query, pointer) => {
    const { status, body } = await get(`/advisories${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('an advisory', () => {
  it('has all records of all feeds with its id', async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2024-6387');
    expect(body).toEqual({
      id: 'DEBIAN-CVE-2024-6387',
      known_exploited: false,
      epss: 0.75,
      cves: [
        {
          id: 'CVE-2024-6387',
          epss: 0.75,
          known_exploited: true,
          exploited_since: '2024-07-04',
          ssvc: decision,
        },
      ],
      affected_hosts: { total: 2, with_fix: 2 },
      unknown_hosts: 0,
      records: [
        expect.objectContaining({
          feed: 'debian-osv',
          severity: 'critical',
          cvss: 9.8,
          cvss_vector: critical,
          packages: [
            {
              release: 'debian:12',
              name: 'openssh',
              names: null,
              severity: 'critical',
              severity_source: 'cvss',
              fixed_version: '1:9.2p1-2+deb12u3',
              service: null,
              unfixed_reason: null,
              unfixed_detail: '',
              architectures: [],
              module: null,
              line: null,
              first_seen_at: expect.any(String),
            },
          ],
        }),
      ],
    });
  });

  it.each(['NOTHING-1', 'debian-cve-2024-6387', '%25', "'", '%00', 'A'.repeat(201)])(
    '%s is 404, and so are its hosts',
    async (id) => {
      expect((await get(`/advisories/${id}`)).status).toBe(404);
      expect((await get(`/advisories/${id}/hosts`)).status).toBe(404);
    },
  );
});

describe('the hosts of an advisory', () => {
  it('are those on which it is a finding, with its state there, and only approved ones', async () => {
    const { body, headers } = await get('/advisories/DEBIAN-CVE-2024-6387/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo']);
    expect(headers['x-total-count']).toBe('2');
    expect(body[0]).toEqual({
      host_id: hosts.get('alpha')?.id,
      display_name: 'alpha',
      hostname: 'alpha',
      os_name: 'debian',
      os_version: '12.8',
      tags: [],
      packages: [
        {
          name: 'openssh-server',
          architecture: 'amd64',
          installed_version: '1:9.2p1-2+deb12u2',
          source_name: 'openssh',
          source_version: '1:9.2p1-2+deb12u2',
          severity: 'critical',
          fixed_version: '1:9.2p1-2+deb12u3',
          fix_state: 'installable',
          candidate_version: '1:9.2p1-2+deb12u3',
          advisory_ids: ['DEBIAN-CVE-2024-6387'],
        },
      ],
    });
    expect(body[1].packages[0].fix_state).toBe('not_in_repositories');
  });

  it('of an erratum are those of the records that it covers', async () => {
    const { body } = await get('/advisories/DSA-5724-1/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo']);
    expect(body[0].packages[0].advisory_ids).toEqual(['DEBIAN-CVE-2024-6387']);
  });

  it('without a fix are listed as such', async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2023-45853/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo', 'golf']);
    expect(body[2].packages[0]).toMatchObject({ fix_state: 'no_fix', fixed_version: null });
  });

  it('of a kernel are those that run it, not those that only have it installed', async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2024-9999/hosts');
    expect(namesOf(body)).toEqual(['echo', 'hotel']);
    expect(body[1].packages).toEqual([expect.objectContaining({ fix_state: 'held' })]);
    expect(body[0].packages).toEqual([
      expect.objectContaining({ name: 'linux-image-6.1.0-28-amd64', fix_state: 'pending_reboot' }),
    ]);
  });

  it('of a negligible one are listed on request', async () => {
    expect((await get('/advisories/DEBIAN-CVE-2022-3715/hosts')).body).toEqual([]);
    const { body, headers } = await get('/advisories/DEBIAN-CVE-2022-3715/hosts?include_hidden=true');
    expect([namesOf(body), headers['x-total-count']]).toEqual([['alpha', 'bravo'], '2']);
    expect(body[0].packages[0].severity).toBe('none');
  });

  it.each([1, 2, 3])('are listed in pages of %d', async (limit) => {
    const { rows, totals } = await pages('/advisories/DEBIAN-CVE-2023-45853/hosts', limit);
    expect([namesOf(rows), totals]).toEqual([['alpha', 'bravo', 'golf'], ['3']]);
  });

  it('are exactly those whose findings include it, in the same state', async () => {
    for (const { id } of (await get('/advisories')).body) {
      const { body } = await get(`/advisories/${id}/hosts?include_hidden=true`);
      for (const [name, host] of hosts) {
        const found = (
          await get(`/hosts/${host.id}/packages/vulnerable?include_unfixed=true&include_hidden=true`)
        ).body.flatMap(
          (row: { name: string; advisories: { id: string; aliases: string[]; fix_state: string }[] }) =>
            row.advisories
              .filter((advisory) => advisory.id === id || advisory.aliases.includes(id))
              .map((advisory) => [row.name, advisory.fix_state]),
        );
        const listed = body
          .filter((row: { host_id: string }) => row.host_id === host.id)
          .flatMap((row: { packages: { name: string; fix_state: string }[] }) =>
            row.packages.map((entry) => [entry.name, entry.fix_state]),
          );
        expect([id, name, listed]).toEqual([id, name, name === 'delta' ? [] : found]);
      }
    }
  });

  it.each([
    ['?cursor=abc', '/cursor'],
    [
      `?cursor=${Buffer.from('{"n":"a\\u0000","i":"019a0000-0000-7000-8000-000000000000"}').toString('base64url')}`,
      '/cursor',
    ],
    ['?limit=0', '/limit'],
    ['?include_hidden=maybe', '/include_hidden'],
    ['?severity=critical', '/severity'],
  ])('are not given for %s', async (query, pointer) => {
    const { status, body } = await get(`/advisories/DSA-5724-1/hosts${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('a CVE', () => {
  it('has its advisories, its known facts and the number of hosts it affects', async () => {
    const { body } = await get('/cves/cve-2024-6387');
    expect(body).toMatchObject({
      id: 'CVE-2024-6387',
      epss: 0.75,
      known_exploited: true,
      exploited_since: '2024-07-04',
      ssvc: decision,
      affected_hosts: { total: 2, with_fix: 2 },
    });
    expect(idsOf(body.advisories)).toEqual(['DSA-5724-1', 'DEBIAN-CVE-2024-6387']);
  });

  it('known only to EPSS has no advisories', async () => {
    expect((await get('/cves/CVE-2099-0001')).body).toEqual({
      id: 'CVE-2099-0001',
      epss: 0.1,
      known_exploited: false,
      exploited_since: null,
      ssvc: null,
      affected_hosts: { total: 0, with_fix: 0 },
      known: false,
      unknown_hosts: expect.any(Number),
      feeds: [expect.objectContaining({ id: 'debian-osv' })],
      advisories: [],
    });
  });

  it('that no feed knows leaves every host unknown and names the feeds that could know it', async () => {
    const { status, body } = await get('/cves/CVE-2099-0002');
    const summary = (await get('/fleet/summary')).body;
    expect(status).toBe(200);
    expect(body).toMatchObject({ known: false, advisories: [], unknown_hosts: summary.hosts });
    expect(body.unknown_hosts).toBeGreaterThan(0);
    expect(body.feeds).toEqual(
      summary.feeds.in_use.map(({ id, updated_at, hosts }: Record<string, unknown>) => ({
        id,
        updated_at,
        hosts,
      })),
    );
  });

  it.each(['CVE-1', 'DSA-5724-1', '%00'])('%s is 404', async (id) => {
    expect((await get(`/cves/${id}`)).status).toBe(404);
  });
});

describe('the hosts of a package', () => {
  it('are all hosts that have it, with the installed versions', async () => {
    const { body, headers } = await get('/packages?name=openssh-server');
    expect([namesOf(body), headers['x-total-count']]).toEqual([['alpha', 'bravo', 'charlie'], '3']);
    expect(body[0].packages).toEqual([
      {
        name: 'openssh-server',
        architecture: 'amd64',
        version: '1:9.2p1-2+deb12u2',
        source_name: 'openssh',
        source_version: '1:9.2p1-2+deb12u2',
        vendor: '',
        module: '',
        held: false,
        comparison: null,
        epochs: null,
      },
    ]);
    expect(headers['plimsoll-epochs']).toBeUndefined();
  });

  it('with a lower version are compared as their package manager does', async () => {
    const below = async (version: string) =>
      namesOf((await get(`/packages?name=openssh-server&version_lt=${encodeURIComponent(version)}`)).body);
    expect(await below('1:9.2p1-2+deb12u3')).toEqual(['alpha', 'bravo']);
    expect(await below('1:9.2p1-2+deb12u10')).toEqual(['alpha', 'bravo', 'charlie']);
    expect(await below('1:9.2p1-2+deb12u2')).toEqual([]);
    expect(await below('0:99')).toEqual([]);
  });

  it.each([1, 2])('are listed in pages of %d', async (limit) => {
    const { rows, totals } = await pages('/packages?name=openssh-server', limit);
    expect([namesOf(rows), totals]).toEqual([['alpha', 'bravo', 'charlie'], ['3']]);
  });

  it('installed nowhere are an empty list', async () => {
    for (const name of ['nothing', '%25', "'", 'openssh']) {
      expect((await get(`/packages?name=${name}`)).body).toEqual([]);
    }
  });

  it.each([
    ['', '/name'],
    ['?name=', '/name'],
    ['?name=%00', '/name'],
    ['?name=bash&version_lt=', '/version_lt'],
    ['?name=bash&version_lt=a%20b', '/version_lt'],
    ['?name=bash&cursor=abc', '/cursor'],
    ['?name=bash&limit=0', '/limit'],
    ['?name=bash&name=zsh', '/name'],
  ])('are not given for "%s"', async (query, pointer) => {
    const { status, body } = await get(`/packages${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
