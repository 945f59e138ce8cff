import { advisoryFleetPerFile } from './advisory-fleet.ts';

const fleet = advisoryFleetPerFile();

const search = async (q: string, rest = '') => {
  const { status, body } = await fleet.get(`/search?q=${encodeURIComponent(q)}${rest}`);
  expect(status).toBe(200);
  return body;
};
const names = (rows: readonly { readonly match: string; readonly display_name: string }[]) =>
  rows.map(({ match, display_name }) => `${match} ${display_name}`);
const idOf = (name: string) => fleet.hosts.get(name)?.id ?? '';

describe('GET /search', () => {
  it('finds hosts by name, address, id and machine id, the best match first, pending ones too', async () => {
    const { pool } = fleet.api.database.db;
    await pool.query(`UPDATE hosts SET display_name = 'my alpha' WHERE id = $1`, [idOf('bravo')]);
    await pool.query(`UPDATE hosts SET display_name = 'alpha-2' WHERE id = $1`, [idOf('delta')]);
    const { hosts, hosts_total } = await search('ALPHA');
    expect(names(hosts)).toEqual(['exact alpha', 'prefix alpha-2', 'part my alpha']);
    expect(hosts_total).toBe(3);
    expect(hosts[1]).toMatchObject({ approval_status: 'pending' });
    expect(names((await search('alpha', '&limit=1')).hosts)).toEqual(['exact alpha']);
    expect(names((await search(idOf('golf'))).hosts)).toEqual(['exact golf']);
    const { rows } = await pool.query<{ id: string }>('SELECT machine_id AS id FROM hosts WHERE id = $1', [
      idOf('golf'),
    ]);
    await pool.query(`UPDATE hosts SET machine_id = '0123456789abcdef0123456789abcdef' WHERE id = $1`, [
      idOf('golf'),
    ]);
    expect(rows).toHaveLength(1);
    expect(names((await search('0123456789ABCDEF0123456789abcdef')).hosts)).toEqual(['exact golf']);
  });

  it.each(['CVE-2024-6387', 'cve-2024-6387', '2024-6387'])('finds a CVE by %s', async (q) => {
    expect((await search(q)).cves).toEqual([{ match: 'exact', id: 'CVE-2024-6387', known: true }]);
  });

  it('finds CVEs by the beginning of their id, and one that nobody knows', async () => {
    expect((await search('cve-2099')).cves).toEqual([{ match: 'prefix', id: 'CVE-2099-0001', known: true }]);
    expect((await search('CVE-2097-12345')).cves).toEqual([
      { match: 'exact', id: 'CVE-2097-12345', known: false },
    ]);
    expect((await search('2024')).cves).toEqual([]);
  });

  it('finds advisories by a part of their id, and packages by a part of their name', async () => {
    expect((await search('dsa-5724')).advisories).toEqual([
      { match: 'prefix', id: 'DSA-5724-1', title: 'openssh has a flaw' },
    ]);
    expect((await search('5724')).advisories).toMatchObject([{ match: 'part', id: 'DSA-5724-1' }]);
    const { packages } = await search('openssh-server');
    expect(packages).toEqual([{ match: 'exact', name: 'openssh-server', hosts: expect.any(Number) }]);
  });

  it('takes patterns as they are typed, and finds nothing by blanks', async () => {
    for (const q of ['%', '_', '\\', "'", '(.*)']) {
      expect(await search(q)).toMatchObject({ hosts: [], packages: [], cves: [], advisories: [] });
    }
    expect((await fleet.get('/search?q=%20')).status).toBe(422);
    expect((await fleet.get('/search')).status).toBe(422);
  });
});
