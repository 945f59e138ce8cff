import { ageHistory } from '@plimsoll/testing';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianRecord, opensshHost, reportingHost } from './debian-fleet.ts';
import { readPack } from './evidence-archive.ts';
import { importOsv } from './pipeline.ts';

// Hosts of which nothing is known in some way: no pack may say that nothing was open there.
const api = apiPerFile();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  await api.admin.put('/api/v1/policies/due-dates', { json: { rules: [{ days: 7, clock: 'installed' }] } });
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2.0', cves: ['CVE-2024-0001'] }),
  ]);
  const ids: string[] = [];
  ids.push((await reportingHost(api, 'silent', opensshHost('2.0'))).id);
  ids.push((await reportingHost(api, 'affected-and-silent', opensshHost('1.0'))).id);
  await ageHistory(api.database.db.pool, 20);
  ids.push((await reportingHost(api, 'patched', opensshHost('2.0'))).id);
  // No feed has this release.
  ids.push((await reportingHost(api, 'no-feed', opensshHost('2.0', { release: 'kali' }))).id);
  const retired = await reportingHost(api, 'retired-without-a-feed', opensshHost('2.0', { release: 'kali' }));
  ids.push(retired.id, (await enrol(api, { hostname: 'no-report' })).id);
  await ageHistory(api.database.db.pool, 5);
  // Only what the silent ones have is old.
  await api.database.db.pool.query(
    `UPDATE host_contacts SET last_seen_at = now(), last_confirmed_at = now()
     WHERE host_id IN (SELECT id FROM hosts WHERE hostname IN ('patched', 'no-feed', 'retired-without-a-feed'))`,
  );
  await api.database.db.pool.query(`UPDATE feeds SET updated_at = now() WHERE id = 'debian-osv'`);
  for (const id of ids)
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['all'], exposure: 'internal' } });
  await api.admin.post('/api/v1/hosts/actions', { json: { action: 'retire', hosts: [retired.id] } });
});

interface Host {
  readonly display_name: string;
  readonly silent: boolean;
  readonly end: { readonly findings_known: boolean; readonly gaps: readonly string[] };
  readonly findings: { readonly open_at_end: number | null; readonly due: Record<string, number | null> };
}

async function packOf(query: string) {
  const answer = await fetch(`${api.url}/api/v1/evidence?${query}`, {
    headers: { Authorization: `Bearer ${api.admin.token}` },
  });
  expect(answer.status).toBe(200);
  const pack = await readPack(answer);
  const summary = pack.jsonOf('evidence.json');
  const hosts: readonly Host[] = summary.hosts;
  return {
    manifest: pack.manifest,
    summary,
    page: pack.textOf('index.html'),
    table: pack.textOf('hosts.csv'),
    findings: pack.jsonOf('findings.json') as readonly { known_exploited: boolean | null }[],
    ends: Object.fromEntries(
      hosts.map(({ display_name: name, findings: { open_at_end: open, due } }) => [
        name,
        [open, due['missed'], due['met']],
      ]),
    ),
    hosts: new Map(hosts.map((host) => [host.display_name, host])),
  };
}

/** The cells of a host in the table of hosts. */
const rowOf = (page: string, host: string) =>
  page
    .split('\n')
    .find((line) => line.includes(`<td>${host}</td>`))
    ?.replaceAll(/<[^>]+>/g, '|') ?? '';

it('says zero only of hosts of which it is known: silent, feedless, never reported and retired ones have no number', async () => {
  const { ends, hosts, summary, table } = await packOf(`tag=all&from=${daysAgo(10)}`);
  expect(ends).toEqual({
    patched: [0, 0, 0],
    silent: [null, null, null],
    'affected-and-silent': [1, 1, 0],
    'no-feed': [null, null, null],
    'no-report': [null, null, null],
    'retired-without-a-feed': [null, null, null],
  });
  expect(summary.totals).toMatchObject({ open_at_end: 1, due: { missed: 1, met: 0 } });
  expect(summary.hosts_without_numbers).toMatchObject({ at_end: 4 });
  expect(summary.hosts_partly_known).toBe(5);
  expect(hosts.get('patched')?.end).toMatchObject({ findings_known: true });
  expect(hosts.get('retired-without-a-feed')?.end).toMatchObject({ findings_known: false });
  expect(table.split('\r\n').find((line) => line.includes('"no-feed"'))).toContain(',,,,,,,');
});

it('the page says by host why a number is not known, and that sums leave hosts out', async () => {
  const { page } = await packOf(`tag=all&from=${daysAgo(10)}`);
  expect(rowOf(page, 'no-feed')).toMatch(/end: no advisory feed covers the release.*not known.*not known/);
  expect(rowOf(page, 'no-report')).toMatch(/no report yet.*not known/);
  expect(rowOf(page, 'silent')).toMatch(/silent; .*end: the last report is old.*not known/);
  expect(rowOf(page, 'affected-and-silent')).toContain('at least 1');
  expect(rowOf(page, 'patched')).not.toMatch(/at least|end: /);
  expect(page).toMatch(
    /Open at the end, without 4 of 6 hosts, of which it is not known<\/td><td class="n">at least 1</,
  );
});

it('a host that stopped reporting within the period has no zero at its end, either', async () => {
  const { ends, hosts } = await packOf(`tag=all&from=${daysAgo(60)}`);
  expect(hosts.get('silent')).toMatchObject({ silent: false });
  expect(ends).toMatchObject({ silent: [null, null, null], patched: [0, 0, 0] });
});

it('a host that was added after the period makes nothing of it unknown', async () => {
  const { summary } = await packOf(`tag=all&from=${daysAgo(30)}&to=${daysAgo(22)}`);
  // Then there was no other host than the two that are silent now.
  const notes = summary.notes.join('\n');
  expect(notes).toContain('Added after the period: 4 of 6 hosts.');
  expect(notes).toContain('lower bounds, because of 2 hosts');
});

it('without CISA’s catalog a table of exploited findings is named incomplete', async () => {
  const { body } = await api.admin.get('/api/v1/hosts?q=patched');
  const nameOf = async (query: string) =>
    (await api.admin.get(`/api/v1/findings.csv?host=${body[0].id}${query}`)).headers['content-disposition'];
  expect(await nameOf('')).not.toContain('incomplete');
  expect(await nameOf('&known_exploited=true')).toContain('incomplete');
});

it('without CISA’s catalog no finding counts as not exploited, and the notes say what that means', async () => {
  const without = await packOf(`tag=all&from=${daysAgo(40)}`);
  expect(without.findings.map(({ known_exploited }) => known_exploited)).toEqual([null]);
  expect(without.summary.notes.join('\n')).toContain('The feed cisa-kev was never synced: ');
  const { pool } = api.database.db;
  const setAge = (days: number) =>
    pool.query(`UPDATE feeds SET updated_at = now() - make_interval(days => $1) WHERE id = 'cisa-kev'`, [
      days,
    ]);
  await setAge(10);
  const old = await packOf(`tag=all&from=${daysAgo(40)}`);
  expect(old.findings.map(({ known_exploited }) => known_exploited)).toEqual([false]);
  expect(old.summary.notes.join('\n')).toMatch(
    /The feed cisa-kev was last current at .*, which is older than allowed/,
  );
  await setAge(0);
  const current = await packOf(`tag=all&from=${daysAgo(40)}`);
  expect(current.summary.notes.join('\n')).not.toContain('cisa-kev');
});

it('the signed manifest has the notes, so that checking a pack shows them', async () => {
  const { manifest, summary } = await packOf(`tag=all&from=${daysAgo(10)}`);
  expect(manifest.notes).toEqual(summary.notes);
});
