import { type AdvisoryFleet, advisoryFleetPerFile } from './advisory-fleet.ts';
import { critical } from './debian-fleet.ts';

const newestFirst = [
  'DEBIAN-CVE-2024-9999',
  'DSA-5724-1',
  'DEBIAN-CVE-2024-6387',
  'DEBIAN-CVE-2023-45853',
  'DEBIAN-CVE-2022-3715',
  'DEBIAN-CVE-2021-0001',
  'DEBIAN-CVE-2020-0002',
];
/** CISA's answers about CVE-2024-6387. */
const decision = {
  exploitation: 'poc',
  automatable: false,
  technical_impact: 'total',
  decided_at: '2024-07-01T12:00:00.000Z',
};

const fleet = advisoryFleetPerFile();

const get: AdvisoryFleet['get'] = (path) => fleet.get(path);
const pages: AdvisoryFleet['pages'] = (path, limit) => fleet.pages(path, limit);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

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
    const { pool } = fleet.api.database.db;
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

  it.each([
    ['?q=', '/q'],
    ['?q=%00', '/q'],
    [`?q=${'a'.repeat(201)}`, '/q'],
    ['?severity=worst', '/severity'],
    ['?known_exploited=maybe', '/known_exploited'],
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
    expect((await get('/cves/CVE-2099-0001')).body).toMatchObject({
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
