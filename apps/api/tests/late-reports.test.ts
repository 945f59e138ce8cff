import {
  createExposureWalkStore,
  createHistoryRetention,
  createHostCounter,
  createPatchRhythmStore,
  matchUploads,
  recountChangedHosts,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { ageHistory, waitFor } from '@plimsoll/testing';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianKernel, debianPackage, debianRecord, type HostFacts } from './debian-fleet.ts';
import { defaultLag, importOsv, parseOnly } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';
import { stateDifferences } from './state-differences.ts';

const records = [
  debianRecord('DEBIAN-CVE-2024-0001', 'curl', { fixed: '5' }),
  debianRecord('DEBIAN-CVE-2024-0002', 'linux', { fixed: '6.1.117-1' }),
];

const api = apiPerFile();
let host: EnrolledHost;
let hosts = 0;
let versions = 0;
beforeAll(async () => {
  await importOsv(api.database, records);
});
beforeEach(() => addHost());

async function addHost(): Promise<void> {
  hosts += 1;
  host = await enrol(api, { hostname: `late-${hosts}`, autoApprove: true });
}

const dayMs = 86_400_000;
const query = async <Row extends object>(sql: string, values: readonly unknown[] = [host.id]) =>
  (await api.database.db.pool.query<Row>(sql, [...values])).rows;

/** An upload, and when it was received. */
interface Report {
  readonly id: UploadId;
  readonly at: string;
}

const kernels = [
  debianKernel('6.1.0-27-amd64', '6.1.115-1'),
  debianKernel('6.1.0-28-amd64', '6.1.119-1'),
] as const;
const running = (n: 27 | 28) => ({ kernel: { runningRelease: `6.1.0-${n}-amd64` } }) as HostFacts;
const curl = (version: string) => debianPackage('curl', version);
/** A package without advisories, of which no host has the version yet. */
function fresh() {
  versions += 1;
  return debianPackage('fresh', `${versions}`);
}

/** Uploads a snapshot. */
async function report(packages: readonly object[], more: HostFacts = {}): Promise<Report> {
  const snapshot = sampleSnapshot({
    packages: [...packages],
    packageCount: packages.length,
    // Some reports are moved into the past before they are parsed.
    collectedAt: protobufTime(new Date('2026-01-01T00:00:00Z')),
    ...more,
  } as Parameters<typeof sampleSnapshot>[0]);
  const answer = await uploadBytes(api, host, snapshot);
  expect(answer.status).toBe(202);
  const { snapshot_id: id } = answer.body as { snapshot_id: UploadId };
  return { id, at: await receivedAt(id) };
}

async function receivedAt(id: UploadId): Promise<string> {
  const [row] = await query<{ at: Date }>('SELECT received_at AS at FROM uploads WHERE id = $1', [id]);
  return row?.at.toISOString() ?? '';
}

const parse = (...reports: readonly Report[]) =>
  parseOnly(
    api.database,
    reports.map(({ id }) => id),
  );
const match = (...reports: readonly Report[]) =>
  matchUploads(
    api.database.as('advisory-worker'),
    reports.map(({ id }) => id),
    { counter: createHostCounter(), lag: defaultLag },
  );

async function matched(packages: readonly object[], more: HostFacts = {}): Promise<Report> {
  const sent = await report(packages, more);
  await parse(sent);
  expect((await match(sent)).matched).toEqual([sent.id]);
  return sent;
}

async function matchLate(late: Report): Promise<void> {
  await parse(late);
  expect(await match(late)).toEqual({ matched: [], superseded: [late.id] });
}

/** Everything so far was 90 days earlier, reports that wait included; `between`: what comes then. Folds to days. */
async function foldAfter(waiting: Report, between: () => Promise<unknown>): Promise<string> {
  await ageHistory(api.database.db.pool, 90);
  await query(`UPDATE uploads SET received_at = received_at - interval '90 days' WHERE id = $1`, [
    waiting.id,
  ]);
  await between();
  await query('UPDATE history_bounds SET days_folded_to = NULL', []);
  await createHistoryRetention(api.database.as('scheduler')).foldSnapshots({
    days: new Date(Date.now() - dayMs),
    months: new Date(Date.now() - 100 * dayMs),
  });
  return receivedAt(waiting.id);
}

const exposures = async () => {
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures`);
  const rows = body as readonly { package: string; from: string; until: string | null }[];
  return rows.map((row) => [row.package, row.from, row.until]);
};
const bootedKernels = () =>
  query<{ version: string | null }>(
    `SELECT v.version FROM host_changes c LEFT JOIN package_versions v ON v.id = c.booted_kernel_id
     WHERE host_id = $1 ORDER BY sequence`,
  ).then((rows) => rows.map(({ version }) => version));
const differences = async () =>
  (await stateDifferences(api.database.as('cli'))).filter(
    ({ hostId, what }) => hostId === host.id && what !== 'payload',
  );

it('is told as new nowhere if it is over, and the rhythm of its host is learned again', async () => {
  await matched([curl('9')]);
  const [first, second] = [await report([curl('1'), fresh()]), await report([curl('2'), fresh()])];
  const newest = await matched([curl('8'), fresh()]);
  const rhythms = createPatchRhythmStore(api.database.as('scheduler'));
  expect(await rhythms.learnDue(100)).toBeGreaterThan(0);
  const openings = () => query('SELECT FROM host_changes WHERE length(opened) > 0', []);
  const told = (await openings()).length;
  await matchLate(second);
  expect(await exposures()).toEqual([['curl', second.at, newest.at]]);
  await matchLate(first);
  expect(await exposures()).toEqual([['curl', first.at, newest.at]]);
  const versionsAt = async ({ at }: Report) => {
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable?at=${at}`);
    return body.map((row: { installed_version: string }) => row.installed_version);
  };
  expect([await versionsAt(first), await versionsAt(second), await versionsAt(newest)]).toEqual([
    ['1'],
    ['2'],
    [],
  ]);
  expect(await rhythms.learnDue(100)).toBe(1);
  expect(await openings()).toHaveLength(told);
  expect(await differences()).toEqual([]);
});

it('has changes of packages that lead from one report to the next, or plimsoll verify says so', async () => {
  await matched([curl('9')]);
  const [early, late] = [await report([curl('1'), fresh()]), await report([curl('8'), fresh()])];
  await parse(early, late);
  await match(late);
  await query(
    'DELETE FROM package_changes WHERE host_id = $1 AND sequence = (SELECT sequence FROM snapshots WHERE id = $2)',
    [host.id, early.id],
  );
  expect((await differences()).map(({ what, detail }) => [what, detail])).toEqual([
    ['ledger', expect.stringMatching(new RegExp(`to that of ${early.at}\\.$`))],
  ]);
});

it('keeps a boot whose report was folded', async () => {
  await matched([curl('9'), ...kernels], running(27));
  const late = await report([curl('9'), ...kernels, fresh()], running(28));
  const booted = await matched([curl('9'), ...kernels], running(28));
  const changed = fresh();
  await matched([curl('9'), ...kernels, changed], running(28));
  const at = await foldAfter(late, () => matched([curl('9'), ...kernels, changed, fresh()], running(28)));
  expect(await query('SELECT FROM snapshots WHERE id = $1', [booted.id])).toEqual([]);
  const [[name, from] = []] = await exposures();
  await matchLate(late);
  expect(await exposures()).toEqual([[name, from, at]]);
  expect(await bootedKernels()).toEqual(['6.1.115-1', '6.1.119-1', '6.1.119-1']);
  expect(await differences()).toEqual([]);
  await matched([curl('9'), ...kernels], running(28));
  expect((await bootedKernels()).slice(3)).toEqual([]);
});

it("keeps what a host's first report said if that was folded before an older one is matched", async () => {
  const late = await report([curl('9'), fresh()]);
  await matched([curl('1')]);
  await matched([curl('9'), fresh()]);
  await foldAfter(late, () => matched([curl('9'), fresh()]));
  const before = await exposures();
  expect(before).toHaveLength(1);
  await matchLate(late);
  expect(await exposures()).toEqual(before);
  expect(await differences()).toEqual([]);
});

it('does not fold from a report on that waits to be matched, and ends one that was deleted', async () => {
  await matched([curl('9')]);
  await matched([curl('9'), fresh()]);
  const late = await report([curl('1'), fresh()]);
  const next = await matched([curl('8')]);
  await matched([curl('8'), fresh()]);
  const at = await foldAfter(late, async () => {
    await matched([curl('7')]);
    await parse(late);
  });
  // Of the six, the two before it are one.
  expect(await query('SELECT FROM snapshots WHERE host_id = $1', [host.id])).toHaveLength(5);
  expect(await match(late)).toEqual({ matched: [], superseded: [late.id] });
  const [{ at: until } = { at: new Date(0) }] = await query<{ at: Date }>(
    'SELECT received_at AS at FROM snapshots WHERE id = $1',
    [next.id],
  );
  expect(await exposures()).toEqual([['curl', at, until.toISOString()]]);
  expect(await differences()).toEqual([]);

  const deleted = await report([curl('1'), fresh()]);
  await parse(deleted);
  await query('DELETE FROM snapshots WHERE id = $1', [deleted.id]);
  expect(await match(deleted)).toEqual({ matched: [], superseded: [deleted.id] });
});

it('counts the exposures again of a host that a walk has read before', async () => {
  const { pool } = api.database.db;
  const walks = createExposureWalkStore(api.database.as('advisory-worker'));
  const { signal } = new AbortController();
  const setState = (state: string) => query('UPDATE uploads SET state = $2 WHERE id = $1', [late.id, state]);
  await matched([curl('9')]);
  const late = await report([curl('1'), fresh()]);
  const next = await matched([curl('8')]);
  // A walk waits for some seconds while uploads wait.
  await setState('rejected');
  await walks.walk(signal);
  await query('UPDATE exposure_walks SET due = true', []);
  const blocker = await pool.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE exposure_counts IN EXCLUSIVE MODE');
    const walking = walks.walk(signal);
    await waitFor('the walk to wait', async () => {
      const waiting = await query(
        `SELECT FROM pg_locks WHERE relation = 'exposure_counts'::regclass AND NOT granted`,
        [],
      );
      return waiting.length > 0;
    });
    await setState('received');
    await matchLate(late);
    await blocker.query('COMMIT');
    await walking;
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
  while (await walks.isDue()) await walks.walk(signal);
  const ends = await query<{ at: Date }>(
    `SELECT until AS at FROM exposure_counts WHERE host_id = $1 AND cause <> 'open'`,
  );
  expect(ends.map(({ at }) => at.toISOString())).toEqual([next.at]);
});

it('has its host counted again if an import touches the host meanwhile', async () => {
  const { pool } = api.database.db;
  const walks = createExposureWalkStore(api.database.as('advisory-worker'));
  const { signal } = new AbortController();
  const openCounts = () =>
    query(`SELECT since, count FROM exposure_counts WHERE host_id = $1 AND cause = 'open' ORDER BY since`);
  await matched([curl('9'), debianPackage('touched', '1')]);
  await walks.walk(signal);
  const before = await openCounts();
  await importOsv(api.database, [
    ...records,
    debianRecord('DEBIAN-CVE-2024-0003', 'touched', { fixed: '2' }),
  ]);
  const matching = await pool.connect();
  try {
    // As matching does.
    await matching.query('BEGIN');
    await matching.query('UPDATE exposure_walks SET due = true WHERE host_id = $1', [host.id]);
    const walking = walks.walk(signal);
    await waitFor('the walk to wait', async () => {
      const waiting = await query('SELECT FROM pg_locks WHERE pg_blocking_pids(pid) <> $1', ['{}']);
      return waiting.length > 0;
    });
    await matching.query('COMMIT');
    await walking;
  } finally {
    await matching.query('ROLLBACK');
    matching.release();
  }
  expect(await walks.isDue()).toBe(false);
  expect(await openCounts()).not.toEqual(before);
});

it('has the kernel that newer rules know before the host is counted by them', async () => {
  await matched([curl('9'), ...kernels], running(27));
  const late = await report([curl('9'), ...kernels, fresh()], running(27));
  await matched([curl('9'), ...kernels, fresh()], running(27));
  // As rules stored it that did not know the kernel.
  await query('UPDATE host_changes SET booted_kernel_id = NULL WHERE host_id = $1');
  await query('UPDATE host_state SET judged_kernel_id = NULL WHERE host_id = $1');
  await matchLate(late);
  await query(
    "INSERT INTO version_changes (ids, releases, counted) SELECT ''::bytea, array_agg(name), false FROM releases",
    [],
  );
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  expect(new Set(await bootedKernels())).toEqual(new Set(['6.1.115-1']));
  expect(await exposures()).toEqual([[kernels[0].name, expect.any(String), null]]);
  expect(await differences()).toEqual([]);
});

it('is the first report of a host if it is parsed while the second one is matched', async () => {
  const first = await report([curl('1'), fresh()]);
  const second = await report([curl('8'), fresh()]);
  await parse(second);
  const counter = createHostCounter();
  let isParsed = false;
  const count: typeof counter.count = async (...of) => {
    if (!isParsed) await parse(first);
    isParsed = true;
    return counter.count(...of);
  };
  const slow = new Proxy(counter, {
    get: (target, name) => (name === 'count' ? count : Reflect.get(target, name)),
  });
  await matchUploads(api.database.as('advisory-worker'), [second.id], { counter: slow, lag: defaultLag });
  expect(await match(first)).toEqual({ matched: [], superseded: [first.id] });
  expect(await exposures()).toEqual([['curl', first.at, second.at]]);
  const changes = await query<{ sequence: string }>(
    'SELECT sequence FROM package_changes WHERE host_id = $1',
  );
  expect(changes.map(({ sequence }) => Number(sequence))).toEqual([2]);
  expect(await differences()).toEqual([]);
});

describe('beside a report that does not say which kernel runs', () => {
  const silent = { kernel: {} } as HostFacts;

  it('a late kernel runs until the next report that says one', async () => {
    await matched([curl('9'), ...kernels], running(27));
    const late = await report([curl('9'), ...kernels, fresh()], running(28));
    // With a row of its own in the ledger, because it closes an advisory.
    await matched([curl('1'), ...kernels], silent);
    await matched([curl('9'), ...kernels], silent);
    const again = await matched([curl('9'), ...kernels, fresh()], running(27));
    await matchLate(late);
    expect(await bootedKernels()).toEqual(['6.1.115-1', '6.1.119-1', '6.1.119-1', '6.1.119-1', '6.1.115-1']);
    expect((await exposures()).filter(([name]) => name === kernels[0].name)).toEqual([
      [kernels[0].name, again.at, null],
      [kernels[0].name, expect.any(String), late.at],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('a late report that says none changes no kernel, and neither does an overtaken one', async () => {
    await matched([curl('9'), ...kernels], running(27));
    const late = await report([curl('9'), ...kernels, fresh()], silent);
    await matched([curl('9'), ...kernels, fresh()], running(27));
    await matchLate(late);
    const [overtaken, next] = [
      await report([curl('9'), ...kernels, fresh()], silent),
      await report([curl('9'), ...kernels, fresh()], silent),
    ];
    await parse(overtaken, next);
    expect(await match(next)).toEqual({ matched: [next.id], superseded: [overtaken.id] });
    expect(await bootedKernels()).toEqual(['6.1.115-1']);
    expect(await exposures()).toEqual([[kernels[0].name, expect.any(String), null]]);
    expect(await differences()).toEqual([]);
  });
});

it('is not reported by plimsoll verify if an older version omitted it and its upload was deleted', async () => {
  await matched([curl('9')]);
  const overtaken = await report([curl('1'), fresh()]);
  const next = await report([curl('8'), fresh()]);
  await parse(overtaken, next);
  await query(`UPDATE uploads SET state = 'superseded' WHERE id = $1`, [overtaken.id]);
  await match(next);
  expect(await differences()).toHaveLength(2);
  await query('DELETE FROM uploads WHERE id = $1', [overtaken.id]);
  expect(await differences()).toHaveLength(2);
  await query('UPDATE history_bounds SET past_whole_from = clock_timestamp()', []);
  expect(await differences()).toEqual([]);
});

it('counts due dates from when the first report came that has the package, whichever is matched first', async () => {
  const policy = { rules: [{ days: 3, clock: 'installed' }] };
  expect((await api.admin.put('/api/v1/policies/due-dates', { json: policy })).status).toBe(200);
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  const dueAt = async () => {
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}`);
    return (body as { due_at: string }).due_at;
  };
  const after = (at: string) => new Date(Date.parse(at) + 3 * dayMs).toISOString();
  const late = await report([curl('1'), fresh()]);
  const newest = await matched([curl('1'), fresh()]);
  expect(await dueAt()).toBe(after(newest.at));
  await matchLate(late);
  expect(await dueAt()).toBe(after(late.at));
  expect(await differences()).toEqual([]);

  await addHost();
  const [overtaken, next] = [await report([curl('1'), fresh()]), await report([curl('1'), fresh()])];
  await parse(overtaken, next);
  expect(await match(next)).toEqual({ matched: [next.id], superseded: [overtaken.id] });
  expect(await dueAt()).toBe(after(overtaken.at));
  expect(await differences()).toEqual([]);
});

it('has a host counted again whose exposures a walk counts for the first time', async () => {
  await matched([curl('1')]);
  const counted = await query<{ due: boolean }>('SELECT due FROM exposure_walks WHERE host_id = $1');
  expect(counted).toEqual([{ due: true }]);
});
