import type { CveProgress, ExposureAnswer, TimeToPatchAnswer } from '@plimsoll/contract';
import { ageHistory } from '@plimsoll/testing';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import { debianRecord, opensshHost, reportingHost } from './debian-fleet.ts';
import { readPack } from './evidence-archive.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
let host: EnrolledHost;
/** When the errata changed, the oldest first. */
let changes: readonly string[];
const [a, b] = ['CVE-2024-0001', 'CVE-2024-0002'];
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** An erratum that names CVEs, one more every five days; the host has a package that it affects. */
async function restated(...lists: readonly (readonly string[])[]): Promise<void> {
  host = await reportingHost(api, 'alpha', opensshHost('1.0'));
  for (const cves of lists) {
    await importOsv(api.database, [debianRecord('DSA-9000-1', 'openssh', { fixed: '2.0', cves })]);
    await ageHistory(api.database.db.pool, 5);
  }
  await api.database.db.pool.query(`UPDATE hosts SET created_at = created_at - interval '30 days'`);
  const { rows } = await api.database.db.pool.query<{ at: Date }>(
    'SELECT at FROM knowledge_changes WHERE kind = $1 ORDER BY id',
    ['import'],
  );
  changes = rows.map(({ at }) => at.toISOString());
}

async function read<Answer>(path: string): Promise<Answer> {
  const { status, body } = await api.admin.get(`/api/v1${path}`);
  expect(status).toBe(200);
  return body as Answer;
}

const exposuresTo = (cve: string) => read<readonly ExposureAnswer[]>(`/cves/${cve}/exposures`);

it('a CVE that comes back has another exposure, and its progress ends and begins with them', async () => {
  await restated([a], [b], [a, b]);
  const [published, changed, back] = changes;
  const spans = (await exposuresTo(a)).map(({ from, until, until_cause, cves }) => ({
    from,
    until,
    until_cause,
    cves,
  }));
  expect(spans).toEqual([
    { from: back, until: null, until_cause: null, cves: [a, b] },
    { from: published, until: changed, until_cause: 'advisory_changed', cves: [a] },
  ]);
  expect((await exposuresTo(b)).map(({ from, until }) => [from, until])).toEqual([[changed, null]]);
  const progress = await read<CveProgress>(`/cves/${a}/progress`);
  expect([progress.first_seen_at, progress.last_seen_at]).toEqual([published, null]);
  const affected = new Map(progress.points.map(({ day, affected_hosts }) => [day, affected_hosts]));
  expect([13, 8, 3].map((days) => affected.get(daysAgo(days).slice(0, 10)))).toEqual([1, 0, 1]);
  expect((await read<CveProgress>(`/cves/${b}/progress`)).first_seen_at).toBe(changed);
});

describe('a waiver of a CVE covers an advisory while it named the CVE', () => {
  beforeEach(async () => {
    await restated([a], [b]);
    const expires_at = new Date(Date.now() + dayMs).toISOString();
    const json = { kind: 'risk_accepted', advisories: [a], all_hosts: true, reason: 'known', expires_at };
    expect((await api.admin.post('/api/v1/waivers', { json })).status).toBe(201);
    await api.database.db.pool.query(`UPDATE waivers SET created_at = created_at - interval '29 days'`);
  });

  it.each([
    [7, { open: 0, open_waived: 1 }],
    [2, { open: 1, open_waived: 0 }],
  ])('in time to patch until %i days ago', async (days, expected) => {
    const answer = await read<TimeToPatchAnswer>(
      `/fleet/time-to-patch?from=${daysAgo(20)}&to=${daysAgo(days)}`,
    );
    expect(answer.all).toMatchObject(expected);
  });

  it.each([
    ['host=HOST', 7, true],
    ['host=HOST', 2, false],
    [`cve=${a}`, 7, true],
    [`cve=${b}`, 2, false],
  ])('in the evidence of %s until %i days ago', async (about, days, isWaived) => {
    const answer = await fetch(
      `${api.url}/api/v1/evidence?${about.replace('HOST', host.id)}&from=${daysAgo(20)}&to=${daysAgo(days)}`,
      { headers: { Authorization: `Bearer ${api.admin.token}` } },
    );
    expect(answer.status).toBe(200);
    const { jsonOf } = await readPack(answer);
    const findings: readonly { readonly waiver_id: string | null }[] = jsonOf('findings.json');
    expect(findings.map(({ waiver_id }) => waiver_id !== null)).toEqual([isWaived]);
  });
});
