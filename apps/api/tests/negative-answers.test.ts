import { operationIds, operationOf, type UnjudgedHost } from '@plimsoll/contract';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost, runs } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const packages = [
  debianPackage('bash', '5.2.15-2'),
  debianPackage('openssh-server', '1:9.2p1-2+deb12u9', { sourceName: 'openssh' }),
  debianPackage('linux-libc-dev', '6.1.119-1', { sourceName: 'linux' }),
  debianKernel('6.1.0-27-amd64', '6.1.115-1'),
  debianKernel('6.1.0-28-amd64', '6.1.119-1'),
];

const api = apiPerFile();
let covered: EnrolledHost;
let silent: EnrolledHost;

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-6387', 'openssh', {
      fixed: '1:9.2p1-2+deb12u3',
      cves: ['CVE-2024-6387'],
    }),
    debianRecord('DEBIAN-CVE-2023-45853', 'zlib', { cves: ['CVE-2023-45853'], urgency: 'medium' }),
  ]);
  covered = await reportingHost(api, 'covered', { packages, ...runs() });
  silent = await enrol(api, { hostname: 'silent' });
});

const get = async (path: string) => {
  const answer = await api.admin.get(`/api/v1${path}`);
  expect(answer.status).toBe(200);
  return answer;
};
const gapsOf = async (path: string) => (await get(path)).headers['plimsoll-gaps'];
const hostGaps = async ({ id }: EnrolledHost): Promise<string> =>
  (await get(`/hosts/${id}`)).body.gaps.join(', ');

/** Reads of a host's packages and findings. */
const listsOfHosts = operationIds.filter((id) => {
  const { method, path, tag } = operationOf(id);
  return method === 'get' && path.startsWith('/api/v1/hosts/{id}/') && tag === 'packages';
});

describe('the header Plimsoll-Gaps', () => {
  it("is declared by all reads of a host's packages and findings", () => {
    expect(listsOfHosts).toEqual(
      expect.arrayContaining(['listPackages', 'listVulnerablePackages', 'explainPackage', 'getUpgradePlan']),
    );
    for (const id of listsOfHosts) {
      expect([id, operationOf(id).responses[200]?.headers]).toEqual([
        id,
        expect.arrayContaining(['Plimsoll-Gaps']),
      ]);
    }
  });

  it.each(listsOfHosts)('of %s names the gaps of the host', async (id) => {
    const queries: Partial<Record<string, string>> = {
      explainPackage: '?advisory=CVE-2024-6387',
      getHostVex: '?format=cyclonedx',
    };
    const query = queries[id] ?? '';
    const path = (host: EnrolledHost) =>
      operationOf(id).path.replace('/api/v1', '').replace('{id}', host.id).replace('{name}', 'bash') + query;
    expect(await hostGaps(silent)).toBe('no_report');
    if (id === 'getHostSbom' || id === 'getHostVex') {
      // An SBOM needs a report.
      const answer = await api.admin.get(`/api/v1${path(silent)}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'no_snapshot']);
    } else expect(await gapsOf(path(silent))).toBe('no_report');
    const gaps = await hostGaps(covered);
    expect(gaps).toContain('reboot_unknown');
    expect(await gapsOf(path(covered))).toBe(gaps);
  });

  it('of an earlier time, by what is known now, also names the gaps of the release of that time', async () => {
    const { pool } = api.database.db;
    const now = encodeURIComponent(new Date().toISOString());
    const path = `/hosts/${covered.id}/packages/vulnerable?at=${now}&known=now`;
    const [before] = [await gapsOf(path)];
    expect(before).not.toContain('no_feed');
    // The host changes to another release; the earlier one has no feed.
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO releases (name, feed_id, covered, rules) SELECT 'debian:13', 'debian-osv', true, rules
       FROM releases WHERE name = 'debian:12' RETURNING id`,
    );
    await pool.query(
      `UPDATE host_state SET release_id = $1, judged_until = '1970-01-01' WHERE host_id = $2`,
      [rows[0]?.id, covered.id],
    );
    await pool.query(`UPDATE releases SET feed_id = NULL WHERE name = 'debian:12'`);
    expect(await hostGaps(covered)).not.toContain('no_feed');
    expect(await gapsOf(path)).toContain('no_feed');
    await pool.query(`UPDATE releases SET feed_id = 'debian-osv' WHERE name = 'debian:12'`);
    await pool.query(
      `UPDATE host_state SET release_id = (SELECT id FROM releases WHERE name = 'debian:12'), judged_until = '1970-01-01' WHERE host_id = $1`,
      [covered.id],
    );
  });
});

it('packages are checked if a feed covers them; of kernels only the running one', async () => {
  const checks = async () =>
    Object.fromEntries(
      (await get(`/hosts/${covered.id}/packages`)).body.map(
        ({ name, checked, covered_by }: { name: string; checked: boolean; covered_by: string | null }) => [
          name,
          [checked, covered_by],
        ],
      ),
    );
  const running = 'linux-image-6.1.0-28-amd64';
  expect(await checks()).toEqual({
    bash: [true, null],
    'openssh-server': [true, null],
    'linux-libc-dev': [false, running],
    'linux-image-6.1.0-27-amd64': [false, running],
    [running]: [true, null],
  });
  const { pool } = api.database.db;
  await pool.query(`UPDATE releases SET covered = false WHERE name = 'debian:12'`);
  const unchecked = await checks();
  expect([unchecked['bash'], unchecked[running]]).toEqual([
    [false, null],
    [false, null],
  ]);
  await pool.query(`UPDATE releases SET covered = true WHERE name = 'debian:12'`);
});

it('an advisory counts and lists the hosts on which no finding means nothing, with the reasons', async () => {
  const unknownHosts = async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2024-6387');
    expect(body.affected_hosts.total).toBe(0);
    const { body: rows, headers } = await get('/advisories/DEBIAN-CVE-2024-6387/unknown-hosts');
    expect([rows.length, headers['x-total-count']]).toEqual([body.unknown_hosts, String(body.unknown_hosts)]);
    return rows.map(({ reason }: { readonly reason: string }) => reason).sort();
  };
  expect(await unknownHosts()).toEqual(['no_report']);
  const { pool } = api.database.db;
  await pool.query(`UPDATE releases SET covered = false WHERE name = 'debian:12'`);
  expect(await unknownHosts()).toEqual(['no_feed', 'no_report']);
  // A host of another distribution is outside Debian's advisories.
  await pool.query(`UPDATE releases SET feed_id = NULL, name = 'rocky:9' WHERE name = 'debian:12'`);
  expect(await unknownHosts()).toHaveLength(2); // the statement names the release by its number
  await pool.query('DELETE FROM advisory_packages');
  expect(await unknownHosts()).toEqual(['no_report']);
  await pool.query(
    `UPDATE releases SET feed_id = 'debian-osv', covered = true, name = 'debian:12' WHERE name = 'rocky:9'`,
  );
  await pool.query(`UPDATE feeds SET updated_at = '2020-01-02T03:04:05Z' WHERE id = 'debian-osv'`);
  expect(await unknownHosts()).toEqual(['feed_outdated', 'no_report']);
  const { body } = await get('/advisories/DEBIAN-CVE-2024-6387/unknown-hosts');
  const dates = body.map(({ display_name, feed_updated_at }: UnjudgedHost) => [
    display_name,
    feed_updated_at,
  ]);
  expect(dates).toEqual([
    ['covered', '2020-01-02T03:04:05.000Z'],
    ['silent', null],
  ]);
  await pool.query(`UPDATE feeds SET updated_at = now() WHERE id = 'debian-osv'`);
  const missing = await api.admin.get('/api/v1/advisories/NO-SUCH-1/unknown-hosts');
  expect(missing.status).toBe(404);
});

it('metrics of the fleet are those of its summary, each with its number of unknown hosts', async () => {
  const { body } = await get('/fleet/summary');
  const { text } = await api.get('/metrics');
  const value = (series: string) => {
    const line = text.split('\n').find((candidate: string) => candidate.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1));
  };
  expect(body.hosts).toBe(2);
  expect(value('plimsoll_hosts{status="active"}')).toBe(body.by_status.active);
  expect(value('plimsoll_hosts{status="new"}')).toBe(1);
  expect(value('plimsoll_hosts_by_action{action="unknown"}')).toBe(body.by_action.unknown);
  expect(value('plimsoll_hosts_with_gap{gap="no_report"}')).toBe(1);
  expect(value('plimsoll_hosts_by_reboot_state{state="unknown"}')).toBe(body.by_reboot_state.unknown);
  expect(value('plimsoll_hosts_by_restart_state{state="unknown"}')).toBe(2);
  expect(value('plimsoll_findings{severity="critical"}')).toBe(0);
  expect(value('plimsoll_findings{severity="unfixed"}')).toBe(body.findings.unfixed);
  expect(value('plimsoll_findings_known_exploited')).toBe(0);
  expect(text).toMatch(/# HELP plimsoll_findings_known_exploited .*cisa-kev is not current/);
  expect(value('plimsoll_hosts_findings_unknown')).toBe(body.findings_unknown_hosts);
  expect(value('plimsoll_hosts_updates_unknown')).toBe(body.updates_unknown_hosts);
  expect(value('plimsoll_available_updates')).toBe(body.available_updates);
});
