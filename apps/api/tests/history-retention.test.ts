import { createHistoryRetention } from '@plimsoll/db';
import { ageHistory } from '@plimsoll/testing';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, type HostFacts, reportAgain, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
const days = (n: number) => new Date(Date.now() - n * 86_400_000);
const retention = () => createHistoryRetention(api.database.as('scheduler'));
const get = (path: string) => api.admin.get(path);
const server = (version: string) => ({ packages: [debianPackage('openssh', version)] }) as HostFacts;
const record = (n: number, fixed: string) =>
  debianRecord(`DEBIAN-CVE-2024-000${n}`, 'openssh', { fixed, urgency: 'high' });

const pass = (n: number) => ageHistory(api.database.db.pool, n);

/**
 * A host with snapshots of 40, 30, 20 and 10 days ago and of now. The first record was known 25 days ago and withdrawn
 * 15 days ago; the second one was known 25 days ago.
 */
async function hostWithPast(): Promise<EnrolledHost> {
  const host = await reportingHost(api, 'alpha', server('1:9.2p1-1'));
  await pass(10);
  await reportAgain(api, host, 'alpha', server('1:9.2p1-2'));
  await pass(5);
  await importOsv(api.database, [record(1, '1:9.2p1-9'), record(2, '1:9.2p1-4')]);
  await pass(5);
  await reportAgain(api, host, 'alpha', server('1:9.2p1-3'));
  await pass(5);
  await importOsv(api.database, [record(2, '1:9.2p1-4')]);
  await pass(5);
  await reportAgain(api, host, 'alpha', server('1:9.2p1-4'));
  await pass(10);
  await reportAgain(api, host, 'alpha', server('1:9.2p1-5'));
  return host;
}

async function openAt({ id }: EnrolledHost, daysAgo: number): Promise<readonly string[] | string> {
  const at = days(daysAgo).toISOString();
  const { status, body } = await get(`/api/v1/hosts/${id}/packages/vulnerable?at=${at}`);
  if (status !== 200) return `${status} ${body.code}`;
  const rows = body as readonly { advisories: readonly { id: string }[] }[];
  return rows.flatMap(({ advisories }) => advisories.map(({ id: record }) => record.slice(-1))).sort();
}

async function snapshots({ id }: EnrolledHost): Promise<readonly { id: string }[]> {
  return (await get(`/api/v1/hosts/${id}/snapshots`)).body;
}

/** The statuses of requests for the snapshots of a host, the newest first. */
async function readable(host: EnrolledHost): Promise<readonly number[]> {
  const found: number[] = [];
  for (const { id } of await snapshots(host))
    found.push((await get(`/api/v1/hosts/${host.id}/snapshots/${id}`)).status);
  return found;
}

it('drops raw reports of past snapshots, and answers about the past as before', async () => {
  const host = await hostWithPast();
  const before = [
    await openAt(host, 22),
    await openAt(host, 17),
    await openAt(host, 12),
    await openAt(host, 5),
  ];
  expect(before).toEqual([['1', '2'], ['1', '2'], ['2'], []]);
  const stopped = createHistoryRetention(api.database.as('scheduler'), AbortSignal.abort());
  await expect(stopped.dropPayloads(days(15))).rejects.toThrow('aborted');
  expect(await readable(host)).toEqual([200, 200, 200, 200, 200]);
  await retention().dropPayloads(days(15));
  expect([
    await openAt(host, 22),
    await openAt(host, 17),
    await openAt(host, 12),
    await openAt(host, 5),
  ]).toEqual(before);
  expect(await readable(host)).toEqual([200, 200, 404, 404, 404]);
  // The newest one is kept however old it is.
  await pass(100);
  await retention().dropPayloads(days(15));
  expect((await get(`/api/v1/hosts/${host.id}/snapshot`)).status).toBe(200);
});

it('answers nothing about the time before the start of the history, and all as before after it', async () => {
  const host = await hostWithPast();
  const exposures = async () => {
    const { body, headers } = await get(`/api/v1/hosts/${host.id}/exposures`);
    return {
      from: headers['plimsoll-history-from'],
      ids: (body as { advisory_id: string }[]).map(({ advisory_id }) => advisory_id.slice(-1)).sort(),
    };
  };
  expect(await exposures()).toEqual({ from: undefined, ids: ['1', '2'] });
  const start = days(14);
  await retention().dropHistory(start);
  expect([await openAt(host, 35), await openAt(host, 22), await openAt(host, 17)]).toEqual(
    Array(3).fill('404 no_snapshot'),
  );
  // By the snapshot from before the start, which counted at it.
  expect([await openAt(host, 13), await openAt(host, 5)]).toEqual([['2'], []]);
  expect(await exposures()).toEqual({ from: start.toISOString(), ids: ['2'] });
  expect(await snapshots(host)).toHaveLength(3);
  const changes = await get(`/api/v1/hosts/${host.id}/changes?from=${days(20).toISOString()}`);
  expect([changes.status, changes.body.code]).toEqual([404, 'no_snapshot']);
  const sinceStart = await get(`/api/v1/hosts/${host.id}/changes`);
  expect(
    sinceStart.body.closed.map(({ advisories }: { advisories: { id: string }[] }) => advisories),
  ).toMatchObject([[{ id: 'DEBIAN-CVE-2024-0002', cause: 'package_changed' }]]);
});

it('rests after each statement that dropped something, and drops nothing more once it is stopped', async () => {
  const host = await hostWithPast();
  const stop = new AbortController();
  const rests: number[] = [];
  const resting = (onRest: () => void) =>
    createHistoryRetention(api.database.as('scheduler'), stop.signal, async (ms) => {
      rests.push(ms);
      onRest();
    });
  const ofHosts = resting(() => undefined);
  await ofHosts.dropPayloads(days(15));
  await ofHosts.foldSnapshots({ days: days(15), months: days(30) });
  // One pass over the hosts, and one for each span of time that is folded.
  expect(rests.length).toBeGreaterThan(1);
  // A machine that stood still during a statement costs seconds, not hours.
  let hours = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++hours * 3_600_000);
  await ofHosts.foldSnapshots({ days: days(13), months: days(30) });
  clock.mockRestore();
  expect(rests.at(-1)).toBe(5_000);
  rests.length = 0;
  const before = await snapshots(host);
  await expect(resting(() => stop.abort()).dropHistory(days(14))).rejects.toThrow('aborted');
  expect(rests).toHaveLength(1);
  expect(rests[0]).toBeGreaterThan(0);
  // Stopped while it dropped what was known, before it came to hosts.
  expect(await snapshots(host)).toEqual(before);
  await retention().dropHistory(days(14));
  expect(await snapshots(host)).not.toEqual(before);
});

it('never claims more than there is if it is stopped, or fails, while it drops', async () => {
  const host = await hostWithPast();
  const historyFrom = async () =>
    (await get(`/api/v1/hosts/${host.id}/exposures`)).headers['plimsoll-history-from'];
  const { pool } = api.database.db;
  // What fails moves no start and drops nothing.
  await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END';
    CREATE TRIGGER refuse BEFORE DELETE ON past_matches FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const start = days(14);
  await expect(retention().dropHistory(start)).rejects.toThrow('refused');
  expect(await historyFrom()).toBeUndefined();
  expect([await openAt(host, 22), await openAt(host, 17)]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  await pool.query('DROP TRIGGER refuse ON past_matches; DROP FUNCTION refuse()');
  // After its first statement, with snapshots of the time that it dropped still there.
  const stop = new AbortController();
  const stopped = createHistoryRetention(api.database.as('scheduler'), stop.signal, async () => stop.abort());
  await expect(stopped.dropHistory(start)).rejects.toThrow('aborted');
  expect(await snapshots(host)).toHaveLength(5);
  expect(await historyFrom()).toBe(start.toISOString());
  expect([await openAt(host, 22), await openAt(host, 17)]).toEqual(Array(2).fill('404 no_snapshot'));
  expect([await openAt(host, 13), await openAt(host, 5)]).toEqual([['2'], []]);
});

it('keeps what was known of each release at the start of the history, and nothing older', async () => {
  await hostWithPast();
  const { pool } = api.database.db;
  await pool.query(`INSERT INTO release_coverage (release_id, at, feed_id, covered, lists_unfixed, updated_at)
    SELECT r.id, now() - make_interval(days => n), r.feed_id, true, true, now() - make_interval(days => n)
    FROM releases r, unnest(ARRAY[50, 40, 30]) AS n WHERE r.name = 'debian:12'`);
  const start = days(35);
  await retention().dropHistory(start);
  const { rows } = await pool.query<{ at: Date }>(
    `SELECT at FROM release_coverage c JOIN releases r ON r.id = c.release_id WHERE r.name = 'debian:12' ORDER BY at`,
  );
  expect(rows.filter(({ at }) => at < start)).toHaveLength(1);
  expect(rows[0]?.at.getTime()).toBeGreaterThan(days(45).getTime());
  expect(rows.length).toBeGreaterThan(1);
});

it('never moves the start of the history back, and drops nothing of the last day', async () => {
  const host = await hostWithPast();
  await retention().dropHistory(days(14));
  await retention().dropHistory(days(30));
  const { headers } = await get(`/api/v1/hosts/${host.id}/exposures`);
  expect(new Date(headers['plimsoll-history-from'] ?? '').getTime()).toBeGreaterThan(days(15).getTime());
  await retention().dropHistory(days(-100));
  await retention().dropPayloads(days(-100));
  const rows = await snapshots(host);
  expect(rows).toHaveLength(2);
  expect((await get(`/api/v1/hosts/${host.id}/snapshots/${rows[0]?.id}`)).status).toBe(200);
});
