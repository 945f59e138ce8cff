import {
  createExposureWalkStore,
  createHistoryRetention,
  createTimeToPatchStore,
  patchDays,
} from '@plimsoll/db';
import { ageHistory, createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { ComparedHistory } from './compared-history.ts';
import { HistoryService } from './history-service.ts';
import { historyOf } from './naive-intervals.ts';
import { timeToPatchOf } from './naive-time-to-patch.ts';
import { historySeeds, seededRandom } from './seeded-random.ts';
import { SimulatedDays } from './simulated-days.ts';
import { enrolHosts } from './simulated-hosts.ts';
import { addWaivers, type NaiveWaiver, withEnds } from './simulated-waivers.ts';

const hostCount = 20;
// More days and seeds: `npm run test:history`; CI takes 60 days.
const days = Number(process.env['PLIMSOLL_HISTORY_DAYS'] ?? 15);
const dayMs = 24 * 3600 * 1000;

let database: TestDatabase;
let waivers: readonly NaiveWaiver[];
beforeEach(async () => {
  waivers = [];
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Everything that happened is some days older from now on. */
async function age(simulated: SimulatedDays, count: number): Promise<void> {
  await ageHistory(database.db.pool, count);
  await database.db.pool.query('UPDATE hosts SET created_at = created_at - make_interval(days => $1)', [
    count,
  ]);
  simulated.age(count);
  const older = (at: Date) => new Date(at.getTime() - count * dayMs);
  waivers = waivers.map((each) => ({ ...each, from: older(each.from), until: older(each.until) }));
}

async function stored(query: string): Promise<readonly object[]> {
  return (await database.db.pool.query<object>(query)).rows;
}

/** Compares a period by the service with the same computed from the events. Returns how many exposures were closed, and continued by others. */
async function compare(
  simulated: SimulatedDays,
  from: Date,
  to: Date,
): Promise<{ readonly closed: number; readonly continued: number }> {
  const hosts = simulated.hosts.map(({ id }) => id);
  const histories = new Map(
    [...simulated.versions].map(([key, version]) => [key, historyOf(version, simulated.events).intervals]),
  );
  const expected = timeToPatchOf(simulated.events, (version) => histories.get(version) ?? [], {
    from,
    to,
    hosts,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    waivers,
  });
  const store = createTimeToPatchStore(database.as('api'));
  const question = { from, to, tags: [], severity: null, now: new Date() };
  const found = await store.read(question);
  expect(found).toMatchObject({ hosts: hosts.length, silentHosts: expected.silent, uncountedHosts: 0 });
  const answered = [...found.bySeverity].map(([severity, times]) => [
    severity,
    {
      closed: times.closed,
      open: times.open,
      open_without_fix: times.openWithoutFix,
      open_waived: times.openWaived,
      open_on_silent_hosts: times.openOnSilentHosts,
      ended_otherwise: Object.values(times.endedOtherwise).reduce((a, b) => a + b, 0),
      median_hours: times.medianHours,
      p90_hours: times.p90Hours,
      within: Object.fromEntries(patchDays.map((each, n) => [String(each), times.within[n]])),
      stages: times.stages,
      open_by_day: times.openByDay,
    },
  ]);
  expect(found.all.closed).toBe([...found.bySeverity.values()].reduce((sum, { closed }) => sum + closed, 0));
  expect(found.all.openByDay.at(-1)).toBe(
    found.all.open + found.all.openWithoutFix + found.all.openWaived + found.all.openOnSilentHosts,
  );
  expect(found.days).toHaveLength(found.all.openByDay.length);
  expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(expected.bySeverity));
  return { closed: found.all.closed, continued: expected.continued };
}

it.each(historySeeds)(
  `the time to patch of ${hostCount} hosts is that of naive code (seed %i, ${days} days)`,
  async (seed) => {
    const hosts = await enrolHosts(database, hostCount);
    const random = seededRandom(seed);
    const simulated = new SimulatedDays(random, new HistoryService(database), hosts);
    for (let day = 1; day <= days; day++) {
      await simulated.pass();
      await age(simulated, random.between(1, 4));
    }
    const now = () => new Date();
    const begun = simulated.events[0]?.at as Date; // Days have passed.
    const walks = createExposureWalkStore(database.as('advisory-worker'));
    const signal = new AbortController().signal;
    const ids = hosts.map(({ id }) => id);
    waivers = await addWaivers(database.db.pool, seededRandom(seed + 1), {
      hosts: ids,
      from: begun,
      to: now(),
    });
    // Nothing is counted yet: the request counts all of it.
    const whole = await compare(simulated, begun, now());
    expect(whole.closed).toBeGreaterThan(10);
    expect(whole.continued).toBeGreaterThan(0);
    expect(await walks.isDue()).toBe(true);
    expect(await walks.walk(signal)).toBeGreaterThan(hostCount / 2);
    expect(await walks.isDue()).toBe(false);
    expect(await walks.walk(signal)).toBe(0);
    const at = (part: number) => new Date(begun.getTime() + part * (Date.now() - begun.getTime()));
    for (const [from, to] of [
      [0, 1],
      [0, 0.5],
      [0.3, 0.6],
      [0.9, 1],
      [0.5, 0.52],
    ] as const)
      await compare(simulated, at(from), at(to));
    // Now some hosts are counted as they were.
    for (let day = 1; day <= 8; day++) await simulated.pass();
    waivers = await withEnds(database.db.pool, waivers);
    await compare(simulated, begun, now());
    expect(await walks.walk(signal)).toBeGreaterThan(0);
    await compare(simulated, begun, now());
    await compare(simulated, new Date(Date.now() - 5 * dayMs), now());
    // Folding changes no figure, no exposure and no finding of a past time.
    await age(simulated, 20);
    await database.db.pool.query('UPDATE exposure_walks SET due = true');
    // All but those that have not reported yet.
    const counted = await walks.walk(signal);
    expect(counted).toBeGreaterThan(hostCount / 2);
    const ends = await stored('SELECT * FROM exposure_counts ORDER BY host_id, id');
    const snapshots = await stored('SELECT id FROM snapshots ORDER BY id');
    const ago = (count: number) => new Date(Date.now() - count * dayMs);
    const retention = createHistoryRetention(database.as('scheduler'));
    await retention.foldSnapshots({ days: ago(60), months: ago(90) });
    await retention.foldSnapshots({ days: ago(5), months: ago(25) });
    const left = await stored('SELECT id FROM snapshots ORDER BY id');
    expect(left.length).toBeLessThan(snapshots.length);
    expect(await stored('SELECT DISTINCT resolution FROM folded_snapshots')).toContainEqual({
      resolution: 'month',
    });
    await database.db.pool.query('UPDATE exposure_walks SET due = true');
    expect(await walks.walk(signal)).toBe(counted);
    expect(await stored('SELECT * FROM exposure_counts ORDER BY host_id, id')).toEqual(ends);
    for (const [from, to] of [
      [0, 1],
      [0.3, 0.6],
      [0.5, 0.52],
      [0.7, 0.72],
    ] as const)
      await compare(simulated, at(from), at(to));
    // What follows compares findings, without regard to waivers.
    await database.db.pool.query('DELETE FROM waivers');
    const compared = new ComparedHistory(database, simulated);
    await compared.hostsNow();
    await compared.exposuresOfCves();
    for (let count = 0; count < 4; count++) await compared.hostsAt(random.pick(simulated.quiet));
    await retention.foldSnapshots({ days: ago(5), months: ago(25) });
    expect(await stored('SELECT id FROM snapshots ORDER BY id')).toEqual(left);
  },
  600_000,
);
