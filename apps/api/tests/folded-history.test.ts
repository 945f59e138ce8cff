import {
  createHistoryRetention,
  createHostHistory,
  createKnowledgeMemories,
  createUnusedRowStore,
  type SnapshotChoice,
} from '@plimsoll/db';
import { ageHistory, type TestDatabase } from '@plimsoll/testing';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import {
  debianOffer,
  debianRecord,
  opensshHost,
  reportAgain,
  reportingHost,
  toRestart,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { historyDifferences, stateDifferences } from './state-differences.ts';

const api = apiPerFile();
let host: EnrolledHost;
/** Hosts with two reports each on two days of one month, which are folded while they are read. */
let readHosts: readonly EnrolledHost[];
/** When something was received, in the order of the reports. */
let received: readonly Date[];

const dayMs = 86_400_000;
const fold = (days: number, months: number) =>
  createHistoryRetention(api.database.as('scheduler')).foldSnapshots({
    days: new Date(Date.now() - days * dayMs),
    months: new Date(Date.now() - months * dayMs),
  });
const get = (path: string) => api.admin.get(`/api/v1/hosts/${host.id}/${path}`);
const offer = (from: string, to: string) => debianOffer('openssh', {}, from, to);

/** The findings at a report, a second after it. */
async function openAt(n: number) {
  const at = new Date((received[n]?.getTime() ?? 0) + 1).toISOString();
  const { status, body, headers } = await get(`packages/vulnerable?at=${at}`);
  const rows = body as readonly { installed_version: string; fix_state: string }[];
  return {
    status,
    resolution: headers['plimsoll-resolution'],
    rows: rows.map(({ installed_version, fix_state }) => `${installed_version} ${fix_state}`),
  };
}

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '1:9.2p1-3', urgency: 'high' }),
  ]);
  // All of one day: affected, offered a fix, fixed with a service to restart, restarted, and something else.
  host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1', toRestart()));
  for (const report of [
    opensshHost('1:9.2p1-1', { upgradable: [offer('1:9.2p1-1', '1:9.2p1-3')], ...toRestart() }),
    opensshHost('1:9.2p1-3', toRestart('ssh.service')),
    opensshHost('1:9.2p1-3', toRestart()),
    opensshHost('1:9.2p1-4', toRestart()),
  ])
    await reportAgain(api, host, 'alpha', report);
  const names = ['beta', 'gamma'];
  readHosts = await Promise.all(
    names.map((name) => reportingHost(api, name, opensshHost('1:9.2p1-1', toRestart()))),
  );
  const reportBoth = async (version: string) => {
    for (const [n, each] of readHosts.entries())
      await reportAgain(api, each, names[n] ?? '', opensshHost(version, toRestart()));
  };
  await reportBoth('1:9.2p1-2');
  await ageHistory(api.database.db.pool, 1);
  await reportBoth('1:9.2p1-3');
  await reportBoth('1:9.2p1-4');
  // The second day is the 15th of a month.
  await ageHistory(api.database.db.pool, 120 + new Date(Date.now() - 120 * dayMs).getUTCDate() - 15);
  await reportBoth('1:9.2p1-5');
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-5', toRestart()));
  const { body } = await get('snapshots');
  received = (body as { received_at: string }[]).map(({ received_at }) => new Date(received_at)).reverse();
});

/** The API's pool, which folds the snapshots of a host right after the first statement that reads some. */
function poolThatFolds(hostId: string, resolution: 'day' | 'month'): TestDatabase['db']['pool'] {
  let isFolded = false;
  return new Proxy(api.database.as('api').pool, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property, target) as unknown;
      return async (...of: [{ readonly text: string }]) => {
        const answer = await target.query(...of);
        if (isFolded || !of[0].text.includes('snapshots')) return answer;
        isFolded = true;
        await api.database.db.pool.query(
          `SELECT fold_snapshots($1, '-infinity', now(), (SELECT max(host_id::text)::uuid FROM host_state WHERE host_id < $2), 1)`,
          [resolution, hostId],
        );
        return answer;
      };
    },
  });
}

it.each([
  ['a time', 0, 2, '1:9.2p1-3'],
  ['the first snapshot', 1, null, '1:9.2p1-1'],
] as const)('answers for %s the same while its snapshot is folded', async (_, n, report, version) => {
  const { id } = readHosts[n] as EnrolledHost;
  const { rows } = await api.database.db.pool.query<{ at: Date }>(
    'SELECT received_at AS at FROM snapshots WHERE host_id = $1 ORDER BY sequence',
    [id],
  );
  const choice: SnapshotChoice =
    report === null ? { kind: 'first' } : { kind: 'at', at: rows[report]?.at as Date };
  for (const [resolution, before, stored] of [
    ['day', 'snapshot', 3],
    ['month', 'day', 2],
  ] as const) {
    const pool = poolThatFolds(id, resolution);
    const history = createHostHistory({ pool }, createKnowledgeMemories({ pool }));
    const then = await history.find(id, choice, 'then');
    expect(then?.host.packages.map(({ version: { version } }) => version)).toEqual([version]);
    expect(then).toMatchObject({ at: rows[report ?? 0]?.at });
    // The first snapshot is read before the time that it began.
    if (choice.kind === 'at') expect(then?.resolution).toBe(before);
    const left = await api.database.db.pool.query('SELECT FROM snapshots WHERE host_id = $1', [id]);
    expect(left.rowCount).toBe(stored);
  }
});

it('keeps one snapshot a day, and every answer but what the folded ones alone said', async () => {
  const exposures = await get('exposures');
  expect(exposures.body).toMatchObject([
    {
      offered_at: received[1]?.toISOString(),
      installed_at: received[2]?.toISOString(),
      running_at: received[3]?.toISOString(),
    },
  ]);
  const before = await Promise.all([openAt(0), openAt(1), openAt(2)]);
  expect(before.map(({ resolution, rows }) => [resolution, rows])).toEqual([
    ['snapshot', ['1:9.2p1-1 not_in_repositories']],
    ['snapshot', ['1:9.2p1-1 installable']],
    ['snapshot', []],
  ]);
  await fold(90, 400);
  expect((await get('exposures')).body).toEqual(exposures.body);
  const { body: snapshots, headers } = await get('snapshots');
  expect(headers['x-total-count']).toBe('2');
  expect(snapshots).toMatchObject([
    { resolution: 'snapshot', represents_from: received[5]?.toISOString() },
    {
      resolution: 'day',
      represents_from: received[0]?.toISOString(),
      received_at: received[4]?.toISOString(),
    },
  ]);
  const after = await Promise.all([openAt(0), openAt(1), openAt(2)]);
  expect(after).toEqual(before.map((each) => ({ ...each, resolution: 'day' })));
  expect(await openAt(4)).toMatchObject({ resolution: 'snapshot', rows: [] });
  expect(await get(`packages/vulnerable?at=${new Date(0).toISOString()}`)).toMatchObject({ status: 404 });
});

it('compares with a folded time, and keeps the updates that it offered', async () => {
  const changes = await get('changes');
  expect(changes.body.from).toMatchObject({ resolution: 'day', before_first_snapshot: false });
  expect(changes.body.to).toMatchObject({ resolution: 'snapshot' });
  expect(changes.body.closed).toMatchObject([
    { from_version: '1:9.2p1-1', advisories: [{ cause: 'package_changed' }] },
  ]);
  const unused = createUnusedRowStore(api.database.as('scheduler'));
  for (let look = 0; look < 3; look++) await unused.collect();
  expect((await openAt(1)).rows).toEqual(['1:9.2p1-1 installable']);
});

it('folds again to months, nothing of the last day, and nothing twice', async () => {
  await fold(1, 60);
  expect(await openAt(1)).toMatchObject({ rows: ['1:9.2p1-1 installable'] });
  const rows = (await get('snapshots')).body;
  await fold(-10, -10);
  expect((await get('snapshots')).body).toEqual(rows);
  await api.database.db.pool.query(
    'UPDATE history_bounds SET days_folded_to = NULL, months_folded_to = NULL',
  );
  await fold(1, 60);
  expect((await get('snapshots')).body).toHaveLength(2);
  expect(((await get('exposures')).body as object[])[0]).toMatchObject({
    offered_at: received[1]?.toISOString(),
    running_at: received[3]?.toISOString(),
  });
});

it('still knows when hosts were silent between reports of one month', async () => {
  await api.database.db.pool.query(
    'UPDATE hosts h SET created_at = s.first_snapshot_at FROM host_state s WHERE s.host_id = h.id',
  );
  const { body } = await api.admin.get(`/api/v1/hosts/${readHosts[0]?.id}/snapshots`);
  const [, folded] = body as readonly { represents_from: string; received_at: string }[];
  const hourMs = 3_600_000;
  const [first, last] = [folded?.represents_from, folded?.received_at].map((time) => Date.parse(time ?? ''));
  const silentBetween = async (from = 0, to = 0) => {
    const period = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
    return (await api.admin.get(`/api/v1/fleet/time-to-patch?${period}`)).body.silent_hosts;
  };
  expect(await silentBetween((first ?? 0) + hourMs, (last ?? 0) - hourMs)).toBe(3);
  expect(await silentBetween((last ?? 0) - hourMs, (last ?? 0) + hourMs)).toBe(1);
});

it('leaves nothing that plimsoll verify finds', async () => {
  const db = api.database.as('cli');
  expect({ state: await stateDifferences(db), history: await historyDifferences(db) }).toEqual({
    state: [],
    history: [],
  });
});
