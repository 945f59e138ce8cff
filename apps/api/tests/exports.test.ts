import type { AffectedHost, Host } from '@plimsoll/contract';
import { apiPerFile } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

/** Host names, and the cells for those that a spreadsheet would take for a formula. */
const hostile = new Map([
  ['=HYPERLINK("http://x.invalid","y")', `'=HYPERLINK("http://x.invalid","y")`],
  ['+1+1', "'+1+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['say "hi", all', 'say "hi", all'],
  ['two;three', 'two;three'],
  ['تجربة ‮ ü', 'تجربة ‮ ü'],
  ['  =1+1', "'  =1+1"],
  ['\u00A0\uFEFF=1+1', "'\u00A0\uFEFF=1+1"],
  ['\u200E\u202E@SUM(A1)', "'\u200E\u202E@SUM(A1)"],
  ['\uFF1D1+1', "'\uFF1D1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; ;+1', "a; ;'+1"],
  ['a-b=c+d@e', 'a-b=c+d@e'],
]);
/** Only the database accepts these. */
const stored = new Map([
  ['\tx\r\ny', "'\tx\r\ny"],
  ['\n=1+1', "'\n=1+1"],
  ['x\t-1', "x\t'-1"],
]);

const api = apiPerFile();

beforeAll(async () => {
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2' })]);
  for (const [n, display_name] of [...hostile.keys(), ...stored.keys()].entries()) {
    const packages = [
      debianPackage('openssh', '1'),
      debianPackage('openssh-client', '1', { sourceName: 'openssh' }),
    ];
    const host = await reportingHost(api, `host-${n}.example.org`, { packages });
    const json = { display_name: stored.has(display_name) ? 'x' : display_name, tags: ['=tag', '-b'] };
    expect((await api.admin.patch(`/api/v1/hosts/${host.id}`, { json })).status).toBe(200);
    const { pool } = api.database.db;
    await pool.query('UPDATE hosts SET display_name = $2 WHERE id = $1', [host.id, display_name]);
  }
});

/** Parses RFC 4180 as a spreadsheet does. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') {
      row.push(cell);
      cell = '';
    } else if (c === '\r' && text[i + 1] === '\n') {
      i += 1;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += c;
  }
  expect([row, cell, quoted]).toEqual([[], '', false]);
  return rows;
}

async function exported(
  path: string,
): Promise<{ header: readonly string[]; rows: Record<string, string>[] }> {
  const answer = await api.admin.get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[A-Za-z0-9._-]+\.csv"$/);
  expect(answer.text.startsWith('\uFEFF')).toBe(true);
  const [header = [], ...rows] = readCsv(answer.text.slice(1));
  expect(rows.filter((row) => row.length !== header.length)).toEqual([]);
  expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  return {
    header,
    rows: rows.map((row) => Object.fromEntries(header.map((name, n) => [name, row[n] ?? '']))),
  };
}

const spoken = (text: string) => hostile.get(text) ?? stored.get(text);

describe('GET /hosts.csv', () => {
  it('has the hosts of the list in its order, whatever their names, and no cell that is a formula', async () => {
    const hosts: Host[] = (await api.admin.get('/api/v1/hosts?sort=-display_name')).body;
    const { header, rows } = await exported('/api/v1/hosts.csv?sort=-display_name');
    expect(rows.map((row) => row['display_name'])).toEqual(hosts.map((host) => spoken(host.display_name)));
    for (const [n, host] of hosts.entries()) {
      expect(rows[n]).toMatchObject({
        id: host.id,
        tags: "'=tag;' -b",
        moderate_count: String(host.moderate_count),
        last_seen_at: host.last_seen_at,
        feed_updated_at: host.feed_updated_at ?? '',
      });
    }
    const missing = Object.keys(hosts[0] ?? {}).filter((name) => !header.includes(name));
    expect(missing).toEqual(['machine_id_conflict_with']);
  });

  it('accepts the filters of the list', async () => {
    expect((await exported('/api/v1/hosts.csv?q=host-3')).rows).toHaveLength(1);
    expect((await exported('/api/v1/hosts.csv?has_findings=false')).rows).toHaveLength(0);
    expect((await api.admin.get('/api/v1/hosts.csv?limit=1')).status).toBe(422);
    expect((await api.admin.get('/api/v1/hosts.csv?colour=red')).status).toBe(422);
    expect((await api.get('/api/v1/hosts.csv')).status).toBe(401);
  });

  it('has every host once if there are more than one batch', async () => {
    const { pool } = api.database.db;
    await pool.query(
      `WITH made AS (
         INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
         SELECT gen_random_uuid(), 'manual', 'approved', 'many ' || n / 3, 'many.example.org'
         FROM generate_series(1, 10001) n RETURNING id),
       contact AS (INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds) SELECT id, now(), 1 FROM made)
       INSERT INTO host_state (host_id) SELECT id FROM made`,
    );
    const { rows } = await exported('/api/v1/hosts.csv?q=many.example');
    expect(new Set(rows.map((row) => row['id'])).size).toBe(10_001);
    expect(rows).toHaveLength(10_001);
    await pool.query(`DELETE FROM hosts WHERE hostname = 'many.example.org'`);
  });
});

describe('GET /advisories/{id}/hosts.csv', () => {
  it('has a line for each package of each host of the list', async () => {
    const hosts: AffectedHost[] = (await api.admin.get('/api/v1/advisories/DEBIAN-CVE-2024-0001/hosts')).body;
    const { rows } = await exported('/api/v1/advisories/DEBIAN-CVE-2024-0001/hosts.csv');
    const expected = hosts.flatMap((host) => host.packages.map(({ name }) => [host.host_id, name]));
    expect(expected).toHaveLength((hostile.size + stored.size) * 2);
    expect(rows.map((row) => [row['host_id'], row['name']])).toEqual(expected);
    expect(rows[0]).toMatchObject({
      fixed_version: '2',
      installed_version: '1',
      advisory_ids: 'DEBIAN-CVE-2024-0001',
    });
  });

  it('is named an incomplete table while it is not known of a host whether it is affected', async () => {
    const path = '/api/v1/advisories/DEBIAN-CVE-2024-0001/hosts.csv';
    const named = async () => {
      const { headers } = await api.admin.get(path);
      return [headers['plimsoll-unknown-hosts'], headers['content-disposition']];
    };
    expect(await named()).toEqual(['0', expect.stringContaining('DEBIAN-CVE-2024-0001-hosts.csv')]);
    const json = { display_name: 'm', hostname: 'm.example.org' };
    const { body } = await api.admin.post('/api/v1/hosts/manual', { json });
    expect(await named()).toEqual([
      '1',
      expect.stringContaining('DEBIAN-CVE-2024-0001-hosts-incomplete.csv'),
    ]);
    expect((await api.admin.delete(`/api/v1/hosts/${body.id}`)).status).toBe(204);
  });

  it('answers 404 for an advisory that no feed has', async () => {
    expect((await api.admin.get('/api/v1/advisories/DSA-0/hosts.csv')).status).toBe(404);
  });
});
