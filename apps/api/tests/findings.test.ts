import { severities } from '@plimsoll/model';
import { type AdvisoryFleet, advisoryFleetPerFile } from './advisory-fleet.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const fleet = advisoryFleetPerFile();
const get: AdvisoryFleet['get'] = (path) => fleet.get(path);

beforeAll(async () => {
  // As the import of a list of exploited CVEs stores it.
  await fleet.api.database.db.pool.query(
    `UPDATE advisories SET known_exploited = true WHERE cves @> ARRAY['CVE-2024-6387']`,
  );
  for (const name of ['alpha', 'echo', 'golf']) {
    const { id } = fleet.hosts.get(name) ?? { id: '' };
    await fleet.api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['own', name] } });
  }
});

describe('findings of the fleet', () => {
  it('put what to do first at the top', async () => {
    const { body } = await get('/findings');
    expect(body[0]).toMatchObject({
      key: 'DEBIAN-CVE-2024-6387',
      severity: 'critical',
      known_exploited: true,
      epss: 0.75,
      due_at: null,
      overdue_hosts: 0,
    });
    const ranks = body.map(({ known_exploited, severity }: { known_exploited: boolean; severity: string }) =>
      known_exploited ? -1 : severities.indexOf(severity as (typeof severities)[number]),
    );
    expect(ranks).toEqual([...ranks].sort((a: number, b: number) => a - b));
  });

  it('are the same in pages', async () => {
    for (const grouping of ['advisory', 'host']) {
      const whole = (await get(`/findings?group_by=${grouping}`)).body;
      const { rows, totals } = await fleet.pages(`/findings?group_by=${grouping}`, 1);
      expect(rows).toEqual(whole);
      expect(totals).toEqual([String(whole.length)]);
    }
  });

  it('are selected by filters', async () => {
    const keysOf = async (query: string) =>
      (await get(`/findings?${query}`)).body.map(({ key }: { readonly key: string }) => key);
    expect(await keysOf('severity=critical')).toEqual(['DEBIAN-CVE-2024-6387', 'DEBIAN-CVE-2023-45853']);
    expect(await keysOf('known_exploited=true')).toEqual(['DEBIAN-CVE-2024-6387']);
    expect(await keysOf('group_by=cve&known_exploited=true')).toEqual(['CVE-2024-6387']);
    expect(await keysOf('q=MINIZIP_')).toEqual(['DEBIAN-CVE-2023-45853']);
    expect(await keysOf('group_by=package&q=cve-2024-9999')).toEqual(['linux-signed-amd64']);
    expect(await keysOf('group_by=host&q=golf')).toEqual([fleet.hosts.get('golf')?.id]);
    expect(await keysOf('tag=golf&group_by=package')).toEqual(['zlib']);
    expect(await keysOf('tag=nobody')).toEqual([]);
    expect(await keysOf('advisory=DEBIAN-CVE-1999-1')).toEqual([]);
    expect(await keysOf('overdue=true')).toEqual([]);
    expect(await keysOf('first_seen_before=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await keysOf('first_seen_before=2100-01-01T00:00:00%2B01:00&limit=1')).toHaveLength(1);
    expect((await get('/findings?severity=none')).status).toBe(422);
  });

  it('say of how many hosts they do not know all', async () => {
    const { pool } = fleet.api.database.db;
    const { id } = fleet.hosts.get('golf') ?? { id: '' };
    const before = await get('/findings?group_by=host');
    expect(before.headers['plimsoll-uncounted-hosts']).toBe('0');
    const { rows } = await pool.query('SELECT finding_list_id AS list FROM host_state WHERE host_id = $1', [
      id,
    ]);
    await pool.query('UPDATE host_state SET finding_list_id = NULL WHERE host_id = $1', [id]);
    const without = await get('/findings?group_by=host');
    expect(without.headers['plimsoll-uncounted-hosts']).toBe('1');
    expect(without.body).toHaveLength(before.body.length - 1);
    await pool.query('UPDATE host_state SET finding_list_id = $2 WHERE host_id = $1', [id, rows[0]?.list]);
    expect((await get('/findings?group_by=host')).body).toEqual(before.body);
    await fleet.api.admin.post('/api/v1/hosts/manual', {
      json: { display_name: 'silent', hostname: 'silent.example' },
    });
    const silent = await get('/findings');
    expect(silent.headers['plimsoll-gaps']).toContain('no_report');
    expect(Number(silent.headers['plimsoll-unknown-hosts'])).toBeGreaterThan(0);
    expect(silent.headers['plimsoll-uncounted-hosts']).toBe('0');
  });

  it('follow new hosts, imports and withdrawals', async () => {
    const record = (changes: object) => ({
      ...debianRecord('DEBIAN-CVE-2025-0007', 'zlib', { urgency: 'medium', cves: ['CVE-2025-0007'] }),
      ...changes,
    });
    const hostsOf = async () =>
      (await get('/findings?advisory=DEBIAN-CVE-2025-0007')).body.map(
        ({ hosts }: { readonly hosts: number }) => hosts,
      );
    expect(await hostsOf()).toEqual([]);
    await importOsv(fleet.api.database, [record({})]);
    const [before] = await hostsOf();
    expect(before).toBeGreaterThan(0);
    await reportingHost(fleet.api, 'india', {
      packages: [debianPackage('zlib1g', '1:1.2.13', { sourceName: 'zlib' })],
    });
    expect(await hostsOf()).toEqual([before + 1]);
    await importOsv(fleet.api.database, [
      record({ withdrawn: '2025-02-01T00:00:00Z', modified: '2026-01-01T00:00:00Z' }),
    ]);
    expect(await hostsOf()).toEqual([]);
  });

  it('follow new hosts after an answer that took long', async () => {
    const { pool } = fleet.api.database.db;
    await importOsv(fleet.api.database, [debianRecord('DEBIAN-CVE-2025-0009', 'zlib', { urgency: 'high' })]);
    const hosts = async () => (await get('/findings?group_by=host&q=juliett')).body.length;
    const holder = await pool.connect();
    await holder.query('BEGIN; LOCK TABLE policies IN ACCESS EXCLUSIVE MODE');
    const slow = hosts();
    await holder.query('SELECT pg_sleep(0.6); COMMIT');
    holder.release();
    expect(await slow).toBe(0);
    await reportingHost(fleet.api, 'juliett', {
      packages: [debianPackage('zlib1g', '1:1.2.13', { sourceName: 'zlib' })],
    });
    expect(await hosts()).toBe(1);
  });

  it('are exported under the name of an incomplete table while not all findings are known', async () => {
    const { headers: list } = await get('/findings');
    const { headers } = await get('/findings.csv');
    expect(Number(list['plimsoll-unknown-hosts'])).toBeGreaterThan(0);
    for (const name of ['plimsoll-gaps', 'plimsoll-unknown-hosts', 'plimsoll-uncounted-hosts'])
      expect([name, headers[name]]).toEqual([name, list[name]]);
    expect(headers['content-disposition']).toContain('plimsoll-findings-by-advisory-incomplete.csv');
  });

  it('are exported without formulas, and the export is recorded', async () => {
    await importOsv(fleet.api.database, [
      {
        ...debianRecord('DEBIAN-CVE-2025-0008', 'zlib', { urgency: 'high', cves: ['CVE-2025-0008'] }),
        summary: '=HYPERLINK("http://example.org")',
      },
    ]);
    const { text, headers } = await get('/findings.csv?advisory=DEBIAN-CVE-2025-0008');
    expect(headers['content-disposition']).toContain('plimsoll-findings-by-advisory');
    const [head, line] = text.replace('\uFEFF', '').split('\r\n');
    expect(head).toMatch(/^"key","title",.*"workarounds"$/);
    expect(line).toContain(`"'=HYPERLINK(`);
    // Without CISA's catalog it is not known that a finding is not exploited.
    expect(line).toMatch(/,"[a-z]+",,/);
    await fleet.api.database.db.pool.query(`UPDATE feeds SET updated_at = now() WHERE id = 'cisa-kev'`);
    const { text: known } = await get('/findings.csv?advisory=DEBIAN-CVE-2025-0008');
    expect(known.split('\r\n')[1]).toMatch(/,"[a-z]+",false,/);
    const { body } = await get('/audit-events?action=data.exported');
    expect(body.length).toBeGreaterThan(0);
  });
});
