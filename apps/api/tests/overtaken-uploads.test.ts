import {
  createHistoryRetention,
  createHostCounter,
  createPatchRhythmStore,
  matchUploads,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { ageHistory } from '@plimsoll/testing';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { defaultLag, importOsv, parseOnly } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';
import { stateDifferences } from './state-differences.ts';

const api = apiPerFile();
let host: EnrolledHost;
beforeAll(async () => {
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'curl', { fixed: '5' })]);
});
let hosts = 0;
beforeEach(async () => {
  hosts += 1;
  host = await reportingHost(api, `bookworm-${hosts}`, { packages: [debianPackage('curl', '9')] });
});

/** An upload, and when it was received. */
interface Report {
  readonly id: UploadId;
  readonly at: string;
}

/** Uploads a snapshot in which curl has a version. */
async function report(version: string, collectedAt = new Date()): Promise<Report> {
  const packages = [debianPackage('curl', version)];
  const snapshot = sampleSnapshot({ packages, packageCount: 1, collectedAt: protobufTime(collectedAt) });
  const answer = await uploadBytes(api, host, snapshot);
  expect(answer.status).toBe(202);
  const { rows } = await api.database.db.pool.query<{ at: Date }>(
    'SELECT received_at AS at FROM uploads WHERE id = $1',
    [answer.body.snapshot_id],
  );
  return { id: answer.body.snapshot_id, at: rows[0]?.at.toISOString() ?? '' };
}

/** Matches uploads, and whatever else of their hosts is parsed and waits. */
const match = (...reports: readonly Report[]) =>
  matchUploads(
    api.database.as('advisory-worker'),
    reports.map(({ id }) => id),
    { counter: createHostCounter(), lag: defaultLag },
  );
const parse = (...reports: readonly Report[]) =>
  parseOnly(
    api.database,
    reports.map(({ id }) => id),
  );
const get = async (path: string) => (await api.admin.get(`/api/v1/hosts/${host.id}/${path}`)).body;
const versionsAt = async ({ at }: Report) => {
  const rows: readonly { installed_version: string }[] = await get(
    `packages/vulnerable?at=${encodeURIComponent(at)}`,
  );
  return rows.map(({ installed_version }) => installed_version);
};
const exposures = async () => {
  const rows: readonly { from: string; until: string }[] = await get('exposures');
  return rows.map(({ from, until }) => ({ from, until }));
};

it('the findings of a report are known that a newer one overtook before it was matched', async () => {
  const [early, late] = [await report('1'), await report('8')];
  await parse(early, late);
  expect(await match(late)).toEqual({ matched: [late.id], superseded: [early.id] });
  expect(await versionsAt(early)).toEqual(['1']);
  expect(await exposures()).toEqual([{ from: early.at, until: late.at }]);
  expect(await stateDifferences(api.database.as('cli'))).toEqual([]);
});

it('plimsoll verify finds changes of packages that do not lead from one report to the next', async () => {
  const [early, late] = [await report('1.4'), await report('8.4')];
  await parse(early, late);
  await match(late);
  await api.database.db.pool.query(
    'DELETE FROM package_changes WHERE host_id = $1 AND sequence = (SELECT sequence FROM snapshots WHERE id = $2)',
    [host.id, early.id],
  );
  const differences = await stateDifferences(api.database.as('cli'));
  const ofHost = differences.filter(({ hostId }) => hostId === host.id);
  expect(ofHost.map(({ what, detail }) => [what, detail])).toEqual([
    ['ledger', expect.stringMatching(new RegExp(`to that of ${early.at}\\.$`))],
  ]);
  await api.database.db.pool.query('DELETE FROM hosts WHERE id = $1', [host.id]);
});

it('what a report says is in the past of its host if it is matched after newer ones', async () => {
  const [first, second, newest] = [await report('1.1'), await report('2'), await report('8.1')];
  await parse(newest);
  expect(await match(newest)).toEqual({ matched: [newest.id], superseded: [] });
  expect(await exposures()).toEqual([]);
  const rhythms = createPatchRhythmStore(api.database.as('scheduler'));
  expect(await rhythms.learnDue(100)).toBeGreaterThan(0);
  const told = await toldOpenings();
  await parse(second);
  expect(await match(second)).toEqual({ matched: [], superseded: [second.id] });
  expect(await exposures()).toEqual([{ from: second.at, until: newest.at }]);
  await parse(first);
  expect(await match(first)).toEqual({ matched: [], superseded: [first.id] });
  expect(await exposures()).toEqual([{ from: first.at, until: newest.at }]);
  expect([await versionsAt(first), await versionsAt(second), await versionsAt(newest)]).toEqual([
    ['1.1'],
    ['2'],
    [],
  ]);
  expect(await get('packages/vulnerable')).toEqual([]);
  expect(await rhythms.learnDue(100)).toBe(1);
  // Nothing is told as new that is over already.
  expect(await toldOpenings()).toBe(told);
  expect(await stateDifferences(api.database.as('cli'))).toEqual([]);
});

async function toldOpenings(): Promise<number> {
  const { rows } = await api.database.db.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM host_changes WHERE length(opened) > 0',
  );
  return rows[0]?.n ?? Number.NaN;
}

it("a host's history begins with its first report, whichever is matched first", async () => {
  host = await enrol(api, { hostname: 'fresh', autoApprove: true });
  const [early, late] = [await report('1.2'), await report('8.2')];
  await parse(late);
  await match(late);
  await parse(early);
  await match(early);
  expect(await exposures()).toEqual([{ from: early.at, until: late.at }]);
  expect(await stateDifferences(api.database.as('cli'))).toEqual([]);
});

it('a report can be matched after its day was folded', async () => {
  const { pool } = api.database.db;
  const before = await report('7.3');
  const late = await report('3.3', new Date('2026-01-01T00:00:00Z'));
  const after = await report('8.3');
  await parse(before, after);
  await match(before);
  await match(after);
  await ageHistory(pool, 90);
  const { rows } = await pool.query<{ at: Date }>(
    `UPDATE uploads SET received_at = received_at - interval '90 days' WHERE id = $1 RETURNING received_at AS at`,
    [late.id],
  );
  const newest = await report('9.3');
  await parse(newest);
  await match(newest);
  const retention = createHistoryRetention(api.database.as('scheduler'));
  await retention.foldSnapshots({
    days: new Date(Date.now() - 86_400_000),
    months: new Date(Date.now() - 100 * 86_400_000),
  });
  const kept = await pool.query<{ at: Date }>(
    'SELECT received_at AS at FROM snapshots WHERE host_id = $1 ORDER BY sequence',
    [host.id],
  );
  expect(kept.rowCount).toBe(2);
  await parse(late);
  expect(await match(late)).toEqual({ matched: [], superseded: [late.id] });
  const at = rows[0]?.at.toISOString() ?? '';
  expect(await exposures()).toEqual([{ from: at, until: kept.rows[0]?.at.toISOString() }]);
  expect(await versionsAt({ ...late, at })).toEqual(['3.3']);
  // Reports cannot be decoded that were moved to before they were collected.
  const differences = await stateDifferences(api.database.as('cli'));
  expect(differences.filter(({ what }) => what !== 'payload')).toEqual([]);
});
