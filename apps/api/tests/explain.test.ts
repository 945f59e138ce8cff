import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost, runs } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const fixed = '1:9.2p1-2+deb12u3';
const records = [
  debianRecord('DEBIAN-CVE-2024-6387', 'openssh', { fixed, urgency: 'high', cves: ['CVE-2024-6387'] }),
  debianRecord('DSA-5724-1', 'openssh', { fixed, cves: ['CVE-2024-6387'] }),
  debianRecord('DEBIAN-CVE-2024-1111', 'openssh', { fixed: '1:9.2p1-2', cves: ['CVE-2024-1111'] }),
  debianRecord('DEBIAN-CVE-2023-45853', 'zlib', { cves: ['CVE-2023-45853'], urgency: 'medium' }),
  debianRecord('DEBIAN-CVE-2022-3715', 'bash', {
    fixed: '5.2.15-3',
    urgency: 'unimportant',
    cves: ['CVE-2022-3715'],
  }),
  debianRecord('DEBIAN-CVE-2021-0001', 'bash', { fixed: '5.1-3', release: '11', cves: ['CVE-2021-0001'] }),
  debianRecord('DEBIAN-CVE-2020-0002', 'bash', {
    cves: ['CVE-2020-0002'],
    withdrawn: '2020-02-01T00:00:00Z',
  }),
  debianRecord('DEBIAN-CVE-2024-9999', 'linux', {
    fixed: '6.1.123-1',
    urgency: 'high',
    cves: ['CVE-2024-9999'],
  }),
];
const packages = [
  debianPackage('bash', '5.2.15-2'),
  debianPackage('openssh-server', '1:9.2p1-2+deb12u2', {
    sourceName: 'openssh',
    sourceVersion: '1:9.2p1-2+deb12u2',
  }),
  debianPackage('openssh-client', '1:9.9-1', {
    sourceName: 'openssh',
    sourceVersion: '1:9.9-1',
    vendor: 'Sury',
  }),
  debianPackage('zlib1g', '1:1.2.13', { sourceName: 'zlib' }),
  debianPackage('linux-libc-dev', '6.1.119-1', { sourceName: 'linux' }),
  debianKernel('6.1.0-27-amd64', '6.1.115-1'),
  debianKernel('6.1.0-28-amd64', '6.1.119-1'),
];

const api = apiPerFile();
let host: EnrolledHost;

beforeAll(async () => {
  await importOsv(api.database, records);
  await api.database.db.pool.query(`UPDATE releases SET lists_unfixed = true WHERE name = 'debian:12'`);
  host = await reportingHost(api, 'web', { packages, ...runs() });
});

const explain = async (name: string, advisory: string, id = host.id) => {
  const query = new URLSearchParams({ advisory });
  const path = `/api/v1/hosts/${id}/packages/${encodeURIComponent(name)}/explain?${query}`;
  return (await api.admin.get(path)).body;
};

describe('an explanation', () => {
  it('of a finding shows what was compared, and how', async () => {
    const body = await explain('openssh-server', 'DEBIAN-CVE-2024-6387');
    expect(body).toEqual({
      verdict: 'finding',
      reason: 'finding',
      gap: null,
      detail:
        'openssh 1:9.2p1-2+deb12u2 is lower than the fixed version 1:9.2p1-2+deb12u3 of DEBIAN-CVE-2024-6387 (compared as dpkg does).',
      release: 'debian:12',
      comparator: 'dpkg',
      feed: 'debian-osv',
      feed_updated_at: expect.any(String),
      advisories: [
        {
          id: 'DEBIAN-CVE-2024-6387',
          feed: 'debian-osv',
          title: 'openssh has a flaw',
          url: expect.stringContaining('CVE-2024-6387'),
        },
      ],
      packages: [
        {
          name: 'openssh-server',
          architecture: 'amd64',
          installed_version: '1:9.2p1-2+deb12u2',
          source_name: 'openssh',
          source_version: '1:9.2p1-2+deb12u2',
          match_name: 'openssh',
          compared_version: '1:9.2p1-2+deb12u2',
          reason: 'finding',
          gap: null,
          detail: body.detail,
          severity: 'important',
          fix_state: 'not_in_repositories',
          fixed_version: fixed,
          statements: [
            {
              id: 'DEBIAN-CVE-2024-6387',
              judgement: 'affected',
              detail: body.detail,
              severity: 'important',
              fixed_version: fixed,
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['openssh-server', 'CVE-2024-6387', 'finding', 'finding', 'is lower than'],
    ['openssh-server', 'cve-2024-6387', 'finding', 'finding', 'is lower than'],
    ['openssh-server', 'dsa-5724-1', 'finding', 'finding', 'DEBIAN-CVE-2024-6387'],
    ['openssh', 'CVE-2024-6387', 'finding', 'finding', 'is lower than'],
    ['openssh-client', 'CVE-2024-6387', 'unknown', 'no_verdict', 'not the distributions (Sury)'],
    ['bash', 'CVE-2021-0001', 'not_a_finding', 'other_release', 'debian:11 and not for debian:12'],
    ['bash', 'CVE-2024-6387', 'not_a_finding', 'not_listed', 'bash is not among'],
    ['bash', 'CVE-2099-0001', 'unknown', 'unknown_advisory', 'CVE-2099-0001'],
    ['nginx', 'CVE-2024-6387', 'not_a_finding', 'not_installed', 'no package nginx'],
    ['linux-libc-dev', 'CVE-2024-9999', 'not_a_finding', 'excluded', 'comes with the kernel'],
    [
      'linux-image-6.1.0-27-amd64',
      'CVE-2024-9999',
      'not_a_finding',
      'kernel_not_running',
      '6.1.0-28-amd64 does',
    ],
    ['%_', 'CVE-2024-6387', 'not_a_finding', 'not_installed', ''],
    ['bash', '%', 'unknown', 'unknown_advisory', ''],
    ['bash', "' OR 1=1 --", 'unknown', 'unknown_advisory', ''],
  ])('of %s against %s is %s: %s', async (name, advisory, verdict, reason, detail) => {
    const body = await explain(name, advisory);
    expect([body.verdict, body.reason]).toEqual([verdict, reason]);
    expect(body.detail).toContain(detail);
  });

  it('of an erratum shows the records behind it', async () => {
    const { packages: rows } = await explain('openssh-server', 'DSA-5724-1');
    expect(
      rows[0].statements.map(({ id, judgement }: { id: string; judgement: string }) => [id, judgement]),
    ).toEqual([
      ['DEBIAN-CVE-2024-6387', 'affected'],
      ['DSA-5724-1', 'folded'],
    ]);
  });

  it('of a host without a report is that nothing is known', async () => {
    const silent = await enrol(api, { hostname: 'silent' });
    expect(await explain('bash', 'CVE-2024-6387', silent.id)).toMatchObject({
      verdict: 'unknown',
      reason: 'not_reported',
      release: null,
    });
  });

  it('names the running kernel instead of the installed one', async () => {
    const replaced = await reportingHost(api, 'replaced', {
      packages: [debianKernel('6.1.0-28-amd64', '6.1.123-1')],
      ...runs(),
    });
    const body = await explain('linux-image-6.1.0-28-amd64', 'CVE-2024-9999', replaced.id);
    expect([body.verdict, body.packages[0].installed_version, body.packages[0].compared_version]).toEqual([
      'finding',
      '6.1.123-1',
      '6.1.119-1',
    ]);
  });

  it("of a container says that its kernel is the container host's", async () => {
    const container = await reportingHost(api, 'container', {
      packages: [debianKernel('6.1.0-28-amd64', '6.1.119-1')],
      virtualization: 'lxc',
      ...runs(),
    });
    const body = await explain('linux-image-6.1.0-28-amd64', 'CVE-2024-9999', container.id);
    expect([body.reason, body.detail]).toEqual(['kernel_not_running', expect.stringContaining('container')]);
  });

  it('is "not affected" only if the feed\'s silence means that, otherwise names what is missing', async () => {
    const { pool } = api.database.db;
    const ask = async () => {
      const { verdict, reason, gap, packages: rows } = await explain('bash', 'CVE-2021-0001');
      expect(rows.map((row: { gap: string | null }) => row.gap)).toEqual([gap]);
      return [verdict, reason, gap];
    };
    const feed = (updatedAt: string) =>
      pool.query(`UPDATE feeds SET updated_at = $1 WHERE id = 'debian-osv'`, [updatedAt]);
    expect(await ask()).toEqual(['not_a_finding', 'other_release', null]);
    await pool.query(`UPDATE releases SET lists_unfixed = false WHERE name = 'debian:12'`);
    expect(await ask()).toEqual(['unknown', 'feed_lists_fixes_only', 'feed_lists_fixes_only']);
    await feed('2024-01-02T00:00:00Z');
    expect(await ask()).toEqual(['unknown', 'feed_outdated', 'feed_outdated']);
    expect((await explain('bash', 'CVE-2021-0001')).detail).toContain(
      'debian-osv, the feed that covers debian:12, has data of 2024-01-02, and the advisory is of 2024-07-01',
    );
    expect((await explain('bash', 'CVE-2099-0001')).detail).toContain(
      'CVE-2099-0001 is not known here: no feed has an advisory or a CVE of this name. debian-osv, the feed that covers debian:12 and could know it, has data of 2024-01-02.',
    );
    await pool.query(`UPDATE releases SET feed_id = NULL WHERE name = 'debian:12'`);
    expect(await ask()).toEqual(['unknown', 'no_feed', 'no_feed']);
    // A direct statement does not depend on silence.
    expect(await explain('openssh-server', 'CVE-2024-1111')).toMatchObject({ reason: 'fixed', gap: null });
    expect(await explain('bash', 'CVE-2099-0001')).toMatchObject({
      reason: 'unknown_advisory',
      gap: 'no_feed',
      detail: expect.stringContaining('No feed covers debian:12.'),
    });
    await pool.query(
      `UPDATE releases SET feed_id = 'debian-osv', lists_unfixed = true WHERE name = 'debian:12'`,
    );
    await feed(new Date().toISOString());
    await pool.query(
      `UPDATE host_contacts SET last_confirmed_at = now() - interval '90 days' WHERE host_id = $1`,
      [host.id],
    );
    expect(await ask()).toEqual(['unknown', 'report_outdated', 'report_outdated']);
    expect(await explain('nginx', 'CVE-2024-6387')).toMatchObject({
      verdict: 'unknown',
      reason: 'report_outdated',
    });
    await pool.query('UPDATE host_contacts SET last_confirmed_at = now() WHERE host_id = $1', [host.id]);
    expect(await ask()).toEqual(['not_a_finding', 'other_release', null]);
  });

  it.each([
    ['', '/advisory'],
    ['?advisory=', '/advisory'],
    ['?advisory=%00', '/advisory'],
    [`?advisory=${'A'.repeat(201)}`, '/advisory'],
    ['?advisory=CVE-2024-6387&at=now', '/at'],
  ])('is not given for "%s"', async (query, pointer) => {
    const { status, body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/bash/explain${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('evidence', () => {
  it('names the packages of the same source that were skipped', async () => {
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable`);
    const row = body.find(({ name }: { name: string }) => name === 'openssh-server');
    expect(row.evidence.notes).toContainEqual({
      code: 'foreign_package_passed_over',
      detail: 'openssh-client 1:9.9-1 (not the distributions)',
    });
  });

  it('names the statements about other builds', async () => {
    const { pool } = api.database.db;
    await pool.query(
      `INSERT INTO advisories (feed_id, external_id, digest, kind, title, url, aliases, cves, since)
       VALUES ('debian-osv', 'OTHER-1', '', 'erratum', 'other', '', '{}', '{}', now())`,
    );
    await pool.query(
      `INSERT INTO advisory_packages (advisory_id, release_id, name, severity, severity_source, stated_severity, stated_source, architectures, module, builds, first_seen_at, since)
       SELECT a.id, r.id, 'openssh', 'low', 'vendor', 'low', 'vendor', '{riscv64}', 'ssh:9', 'riscv64|ssh:9|*', now(), now()
       FROM advisories a, releases r WHERE a.external_id = 'OTHER-1' AND r.name = 'debian:12'`,
    );
    // As by every import that changes something.
    await pool.query(
      `INSERT INTO knowledge_changes (at, kind, feeds) VALUES (clock_timestamp(), 'import', '{debian-osv}')`,
    );
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable`);
    const row = body.find(({ name }: { name: string }) => name === 'openssh-server');
    expect(row.evidence.notes).toContainEqual({
      code: 'other_build_passed_over',
      detail: 'OTHER-1 (riscv64, module ssh:9)',
    });
    expect(await explain('openssh-server', 'OTHER-1')).toMatchObject({
      verdict: 'not_a_finding',
      reason: 'other_build',
      detail:
        'OTHER-1 speaks of builds of architecture riscv64, module ssh:9; this one is of amd64, no module.',
    });
    await pool.query(`DELETE FROM advisories WHERE external_id = 'OTHER-1'`);
  });

  it('has the facts of CISA and EPSS for each CVE', async () => {
    const { pool } = api.database.db;
    await pool.query(
      `INSERT INTO cves (id, epss, exploited_since) VALUES ('CVE-2024-6387', 0.75, '2024-07-04')`,
    );
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable`);
    const row = body.find(({ name }: { name: string }) => name === 'openssh-server');
    expect([row.epss, row.advisories[0].cves]).toEqual([
      0.75,
      [expect.objectContaining({ id: 'CVE-2024-6387', epss: 0.75, known_exploited: true })],
    ]);
  });
});
