import { createHash } from 'node:crypto';
import { productVersion } from '@plimsoll/model';
import { ageHistory } from '@plimsoll/testing';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, type HostFacts, reportAgain, reportingHost } from './debian-fleet.ts';
import { readPack } from './evidence-archive.ts';
import { importOsv } from './pipeline.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
let alpha: EnrolledHost;
let bravo: EnrolledHost;
const hostile = '<script>alert(1)</script>=cmd';
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

const server = (version: string, more: object = {}) =>
  ({ packages: [debianPackage('openssh', version), debianPackage('bash', '5.2')], ...more }) as HostFacts;
const openssh = debianRecord('DEBIAN-CVE-2024-0001', 'openssh', {
  fixed: '2.0',
  cves: ['CVE-2024-0001'],
  urgency: 'high',
});
const bash = debianRecord('DEBIAN-CVE-2024-0002', 'bash', { cves: ['CVE-2024-0002'], urgency: 'high' });

beforeAll(async () => {
  const policy = { rules: [{ days: 7, clock: 'installed' }] };
  await api.admin.put('/api/v1/policies/due-dates', { json: policy });
  alpha = await reportingHost(api, 'alpha', server('1.0'));
  bravo = await reportingHost(api, 'bravo', server('1.0'));
  for (const { id } of [alpha, bravo])
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['web'] } });
  await api.admin.patch(`/api/v1/hosts/${bravo.id}`, { json: { display_name: hostile } });
  await importOsv(api.database, [openssh, bash]);
  await ageHistory(api.database.db.pool, 20);
  // Alpha closes openssh after 20 days, so late; bravo says nothing more.
  await reportAgain(api, alpha, 'alpha', server('2.0'));
  await ageHistory(api.database.db.pool, 10);
});

interface Summary {
  readonly versions: { readonly software: string };
  readonly notes: readonly string[];
  readonly totals: object;
  readonly became_fixable: { readonly closed_within_days: object } | null;
  readonly deleted_hosts: number | null;
  readonly waivers: readonly { readonly id: string }[];
  readonly hosts: readonly {
    readonly display_name: string;
    readonly start: { readonly known: string };
  }[];
}

async function packOf(query: string, token = api.admin.token) {
  const answer = await fetch(`${api.url}/api/v1/evidence?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { status, headers } = answer;
  expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="plimsoll-evidence-[\w.-]+\.zip"$/,
  );
  const pack = await readPack(answer);
  const listed = pack.manifest.files.map(({ name, bytes, sha256 }) => [name, bytes, sha256]);
  const found = [...pack.files]
    .filter(([name]) => !name.startsWith('manifest.'))
    .map(([name, bytes]) => [name, bytes.length, createHash('sha256').update(bytes).digest('hex')]);
  expect(found).toEqual(listed);
  const summary: Summary = pack.jsonOf('evidence.json');
  const findings: readonly Readonly<Record<string, unknown>>[] = pack.jsonOf('findings.json');
  return { ...pack, summary, findings };
}

it('has the findings of a tag with their ends, due dates and verdicts', async () => {
  const pack = await packOf(`tag=web&from=${daysAgo(40)}`);
  const seen = pack.findings.map(({ host, advisory_id, until_cause, due_verdict }) => [
    host === 'alpha' ? 'alpha' : 'bravo',
    advisory_id,
    until_cause,
    due_verdict,
  ]);
  expect(seen.sort()).toEqual([
    ['alpha', 'DEBIAN-CVE-2024-0001', 'package_changed', 'missed'],
    ['alpha', 'DEBIAN-CVE-2024-0002', null, 'missed'],
    ['bravo', 'DEBIAN-CVE-2024-0001', null, 'missed'],
    ['bravo', 'DEBIAN-CVE-2024-0002', null, 'missed'],
  ]);
  expect(pack.summary.totals).toMatchObject({
    open_at_start: null,
    opened_in_period: 4,
    closed_in_period: 1,
    open_at_end: 3,
    due: { met: 0, missed: 4 },
  });
  const times = await api.admin.get(`/api/v1/fleet/time-to-patch?tag=web&from=${daysAgo(40)}`);
  const shares = times.body.all.cohorts;
  expect(shares['14'].of).toBeGreaterThan(shares['14'].closed);
  expect(pack.summary.became_fixable?.closed_within_days).toEqual(shares);
  const words = `closed within 14 days</td><td class="n">${shares['14'].closed} of ${shares['14'].of}<`;
  expect(pack.textOf('index.html')).toContain(words);
  expect(pack.summary.hosts[0]).toMatchObject({
    start: { known: 'no_report_yet' },
    end: { known: 'known' },
  });
});

it('a finding that is closed after the period is open in it, and not yet due before its date', async () => {
  const pack = await packOf(`host=${alpha.id}&from=${daysAgo(29)}&to=${daysAgo(25)}`);
  const [ssh] = pack.findings.filter(({ advisory_id }) => advisory_id === 'DEBIAN-CVE-2024-0001');
  expect(ssh).toMatchObject({ until: null, installed_at: null, due_verdict: 'not_yet_due' });
});

it('says what is not known: silent hosts, no state at the start, feeds, deleted hosts', async () => {
  const { summary, files } = await packOf(`tag=web&from=${daysAgo(40)}&to=${daysAgo(1)}`);
  expect(summary.versions.software).toBe(productVersion);
  const notes = summary.notes.join('\n');
  expect(notes).toContain('The state at the start of the period is not known of 2 hosts');
  expect(notes).toMatch(/Deleted from the whole installation since [^ ]+: no host\./);
  expect(notes).toContain('Hosts belong to the pack by the tags that they have now');
  const late = await packOf(`tag=web&from=${daysAgo(15)}`);
  expect(late.summary.notes.join('\n')).toContain('Silent: 1 of 2 hosts. ');
  // None of them was there.
  const early = await packOf(`tag=web&from=${daysAgo(60)}&to=${daysAgo(50)}`);
  const earlyNotes = early.summary.notes.join('\n');
  expect(earlyNotes).toContain('Added after the period: 2 of 2 hosts. ');
  expect(earlyNotes).not.toContain('Silent: ');
  const page = files.get('index.html')?.toString() ?? '';
  expect(page).toContain('What limits this evidence');
});

it('the page has no script and no text of a host as markup; tables defuse formulas', async () => {
  const pack = await packOf(`host=${bravo.id}&from=${daysAgo(40)}`);
  const page = pack.textOf('index.html');
  expect(page).not.toMatch(/<script|\son\w+=|https?:\/\//i);
  expect(page).toContain('&lt;script&gt;');
  expect(page).toContain('@media print');
  expect(pack.textOf('hosts.csv')).not.toMatch(/(^|,)"=/m);
});

it('has the hosts of a CVE, and the state of every host under it', async () => {
  const pack = await packOf(`cve=cve-2024-0001&from=${daysAgo(40)}`);
  expect(pack.summary.hosts).toHaveLength(2);
  expect(pack.summary.became_fixable).toBeNull();
  expect(pack.findings.map(({ advisory_id }) => advisory_id)).toEqual(Array(2).fill('DEBIAN-CVE-2024-0001'));
  expect(pack.textOf('cve-hosts.csv').trim().split('\r\n')).toHaveLength(3);
});

it('a waiver at the due date says so', async () => {
  const expires_at = new Date(Date.now() + dayMs).toISOString();
  const json = { kind: 'risk_accepted', packages: ['bash'], all_hosts: true, reason: 'known', expires_at };
  await api.admin.post('/api/v1/waivers', { json });
  const { pool } = api.database.db;
  await pool.query(`UPDATE waivers SET created_at = created_at - interval '29 days'`);
  const pack = await packOf(`host=${bravo.id}&from=${daysAgo(40)}`);
  const [found] = pack.findings.filter(({ package: name }) => name === 'bash');
  expect(found).toMatchObject({ due_verdict: 'waived', waiver_id: pack.summary.waivers[0]?.id });
});

it('a time before the kept history is not known', async () => {
  const { pool } = api.database.db;
  await pool.query(`UPDATE history_bounds SET starts_at = now() - interval '15 days'`);
  const { summary } = await packOf(`host=${alpha.id}&from=${daysAgo(20)}`);
  await pool.query('UPDATE history_bounds SET starts_at = NULL');
  expect(summary.hosts[0]?.start.known).toBe('history_deleted');
  expect(summary.notes.join('\n')).toContain('was deleted by the retention');
});

it('is refused for other questions, and tags that no host of the reader has', async () => {
  const from = `from=${daysAgo(40)}`;
  const ask = async (query: string) => (await api.admin.get(`/api/v1/evidence?${query}`)).status;
  expect(await ask(from)).toBe(422);
  expect(await ask(`tag=web&cve=CVE-2024-0001&${from}`)).toBe(422);
  expect(await ask(`tag=web&from=${daysAgo(-1)}`)).toBe(422);
  expect(await ask(`tag=web&${from}&to=${daysAgo(-1)}`)).toBe(422);
  expect(await ask(`tag=nothing&${from}`)).toBe(404);
  expect(await ask(`host=${'0'.repeat(8)}-0000-7000-8000-000000000000&${from}`)).toBe(404);
});

it('a limited reader gets its hosts only, and the pack says so', async () => {
  await api.admin.patch(`/api/v1/hosts/${alpha.id}`, { json: { tags: ['web', 'team'] } });
  const { token } = await addUser(api, 'viewer', { tags: ['team'] });
  const pack = await packOf(`tag=web&from=${daysAgo(40)}`, token);
  expect(pack.summary.hosts.map(({ display_name }) => display_name)).toEqual(['alpha']);
  expect(pack.summary.notes.join('\n')).toContain('limited to the tags team');
  expect(pack.summary.deleted_hosts).toBeNull();
  const cve = await packOf(`cve=CVE-2024-0001&from=${daysAgo(40)}`, token);
  for (const name of ['cve-hosts.csv', 'hosts.csv', 'findings.csv', 'evidence.json', 'index.html'])
    expect([name, cve.textOf(name).includes(bravo.id)]).toEqual([name, false]);
  const other = await api.get(`/api/v1/evidence?host=${bravo.id}&from=${daysAgo(40)}`, { token });
  expect(other.status).toBe(404);
});

it('a host that was retired before the period is not in the pack, which says so', async () => {
  const { pool } = api.database.db;
  const { id } = await reportingHost(api, 'charlie', server('1.0'));
  await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['old'] } });
  const json = { action: 'retire', hosts: [id] };
  expect((await api.admin.post('/api/v1/hosts/actions', { json })).status).toBe(200);
  await pool.query(`UPDATE hosts SET retired_at = now() - interval '20 days' WHERE id = $1`, [id]);
  const late = await packOf(`tag=old&from=${daysAgo(10)}`);
  expect(late.summary.hosts).toEqual([]);
  expect(late.summary.notes.join('\n')).toContain(
    'Not in the pack: 1 host with the tag, retired before the period.',
  );
  const early = await packOf(`tag=old&from=${daysAgo(30)}`);
  expect(early.summary.hosts.map(({ display_name }) => display_name)).toEqual(['charlie']);
  expect(early.summary.notes.join('\n')).not.toContain('Not in the pack');
});

it('each pack is in the audit log, with the hash of its manifest', async () => {
  const pack = await packOf(`host=${alpha.id}&from=${daysAgo(40)}`);
  const { body } = await api.admin.get('/api/v1/audit-events?action=evidence.made&limit=1');
  expect(body[0].details).toMatchObject({
    subject: 'host alpha',
    hosts: 1,
    fingerprint: pack.fingerprint,
    manifest_sha256: createHash('sha256')
      .update(pack.files.get('manifest.json') ?? '')
      .digest('hex'),
  });
});

it('a new key signs from then on; the old one stays listed, and its private half is gone', async () => {
  const before = await packOf(`host=${alpha.id}&from=${daysAgo(40)}`);
  const made = await api.admin.post('/api/v1/evidence/keys');
  expect(made.status).toBe(201);
  const after = await packOf(`host=${alpha.id}&from=${daysAgo(40)}`);
  expect([after.fingerprint, before.fingerprint === after.fingerprint]).toEqual([
    made.body.fingerprint,
    false,
  ]);
  const { body } = await api.admin.get('/api/v1/evidence/keys');
  expect(
    body.map(({ fingerprint, retired_at }: { fingerprint: string; retired_at: string | null }) => [
      fingerprint,
      retired_at === null,
    ]),
  ).toEqual([
    [after.fingerprint, true],
    [before.fingerprint, false],
  ]);
  const { rows } = await api.database.db.pool.query(
    'SELECT sealed IS NULL AS gone FROM evidence_keys WHERE fingerprint = $1',
    [before.fingerprint],
  );
  expect(rows).toEqual([{ gone: true }]);
});
