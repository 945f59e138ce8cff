import { createHostCounter, createSetPostingStore } from '@plimsoll/db';
import { apiPerFile } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, reportingHost, runs } from './debian-fleet.ts';
import { seededRandom } from './history/seeded-random.ts';
import { importOsv } from './pipeline.ts';
import { historyDifferences, stateDifferences } from './state-differences.ts';

const api = apiPerFile();
const differences = () => stateDifferences(api.database.as('cli'));

const seed = Number(process.env['PLIMSOLL_TEST_SEED'] ?? 20_261_122);
const names = ['openssh', 'curl', 'zlib', 'bash', 'openssl', 'systemd', 'vim', 'git'];
const steps = 16;
const hostsPerStep = 3;

it('finds no difference after random uploads, imports, edits and withdrawals', async () => {
  const { number: random, pick } = seededRandom(seed);
  const version = () => `1.${Math.floor(random() * 6)}-1`;
  const records = new Map<string, object>();
  const counter = createHostCounter();
  const change = () => {
    const number = Math.floor(random() * 14);
    const id = `DEBIAN-CVE-2024-${String(number).padStart(4, '0')}`;
    if (random() < 0.1) return void records.delete(id);
    records.set(
      id,
      debianRecord(id, number === 0 ? 'linux' : (names[number % names.length] ?? ''), {
        ...(random() < 0.7 ? { fixed: number === 0 ? `6.1.${120 + number}-1` : version() } : {}),
        ...(random() < 0.7 ? { urgency: pick(['unimportant', 'low', 'medium', 'high']) } : {}),
        ...(random() < 0.15 ? { withdrawn: '2025-02-01T00:00:00Z' } : {}),
        cves: [`CVE-2024-${String(number).padStart(4, '0')}`],
      }),
    );
  };
  const report = async () => {
    const installed = names.filter(() => random() < 0.7);
    const packages = installed.map((name) =>
      debianPackage(name, version(), random() < 0.1 ? { held: true } : {}),
    );
    const upgradable = installed.flatMap((name) =>
      random() < 0.4 ? [{ name, candidateVersion: '1.5-1', isSecurity: random() < 0.5 }] : [],
    );
    const kernels = [
      debianKernel('6.1.0-28-amd64', '6.1.119-1'),
      debianKernel('6.1.0-29-amd64', '6.1.123-1'),
    ];
    await reportingHost(api, `random-${Math.floor(random() * 1e9)}`, {
      packages: [...packages, ...kernels.filter(() => random() < 0.7)],
      upgradable,
      ...(random() < 0.5 ? runs() : {}),
    } as never);
  };
  // So that recounts find some sets by postings, and some by reading them.
  await api.database.db.pool.query(`SELECT setval(pg_get_serial_sequence('package_sets', 'id'), 998)`);
  const postings = createSetPostingStore(api.database.as('scheduler'));
  let posted = 0;
  for (let step = 0; step < steps; step++) {
    for (let n = 0; n < hostsPerStep; n++) await report();
    posted += await postings.post();
    for (let n = 0; n < 4; n++) change();
    if (records.size > 0) await importOsv(api.database, [...records.values()], null, counter);
    // Counted with everything that the counter keeps, and from nothing.
    if (step % 4 === 1) expect({ seed, step, found: await differences() }).toEqual({ seed, step, found: [] });
  }
  expect(posted).toBe(1);
  expect({ seed, found: await differences() }).toEqual({ seed, found: [] });
  expect({ seed, history: await historyDifferences(api.database.as('cli')) }).toEqual({ seed, history: [] });
  const { rows } = await api.database.db.pool.query<{ findings: number; hosts: number }>(
    `SELECT count(*) FILTER (WHERE critical + important + moderate + low + unrated + unfixed > 0)::int AS findings,
            count(*)::int AS hosts FROM host_state`,
  );
  // Otherwise the comparison would prove nothing.
  expect(rows[0]?.hosts).toBe(steps * hostsPerStep);
  expect(rows[0]?.findings).toBeGreaterThan(10);
});

it.each([
  ['counts', 'UPDATE host_state SET low = low + 1'],
  ['matches', 'DELETE FROM package_version_advisories'],
  ['classification', "UPDATE package_versions SET match_name = 'other' WHERE match_name IS NOT NULL"],
  [
    'packages',
    `UPDATE package_sets SET ids = (SELECT ids FROM package_sets ORDER BY n DESC, id LIMIT 1)
     WHERE n < (SELECT max(n) FROM package_sets)`,
  ],
  ['payload', "UPDATE snapshots SET payload = ''"],
  ['ledger', 'UPDATE host_changes SET booted_kernel_id = NULL'],
])('finds wrong %s', async (what, damage) => {
  const found = async () => (await differences()).filter((difference) => difference.what === what);
  const before = await found();
  await api.database.db.pool.query(damage);
  expect((await found()).length).toBeGreaterThan(before.length);
});

it('waits until hosts are counted', async () => {
  await api.database.db.pool.query("INSERT INTO version_changes (ids, counted) VALUES ('', false)");
  await expect(differences()).rejects.toThrow('hosts are not counted');
});
