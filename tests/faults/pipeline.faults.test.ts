import { isDeepStrictEqual } from 'node:util';
import { signIn } from '@plimsoll/loadtest';
import { describeWhere, testAdmin, waitFor } from '@plimsoll/testing';
import fc from 'fast-check';
import { faketimeFolder } from '../year/world-clock.ts';
import { clock, deletion, type Fault, faults, none } from './faults.ts';
import { lineOfRow, tableOf, writeTable } from './table.ts';
import { type Row, tryFaults } from './try-faults.ts';
import { judge } from './verdict.ts';
import { startLoad, startWorld, type World } from './world.ts';

/** The time of a storm; 0: three faults once. */
const stormMs = 60_000 * Number(process.env['TEST_STORM_MINUTES'] ?? 0);
const seed = Number(process.env['TEST_STORM_SEED'] ?? Date.now() % 1_000_000);
jest.setTimeout(600_000 + 2 * stormMs);

const rows: Row[] = [];
const isLoss = { lost: 0, twice: 0, stuck: 0, wrong: 0, problems: [] };

async function expectNoLoss(world: World, ...tried: readonly Fault[]): Promise<Row> {
  const row = await tryFaults(world, tried);
  rows.push(row);
  expect(row).toMatchObject(isLoss);
  expect(row.accepted).toBeGreaterThan(world.members.length);
  return row;
}

afterAll(() => {
  const table = tableOf(rows);
  process.stderr.write(`\n${table}\n`);
  if (process.env['TEST_FAULTS_WRITE'] === '1') writeTable(table);
});

describe('reports that were accepted, under faults', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it.each([none, ...faults, deletion])('survive: $name', (fault) => expectNoLoss(world, fault));

  it('survive a storm: three faults at once, again and again', async () => {
    process.stderr.write(`TEST_STORM_SEED=${seed}\n`);
    const three = fc.shuffledSubarray([...faults], { minLength: 3, maxLength: 3 });
    const until = performance.now() + stormMs;
    for (const drawn of fc.sample(three, { seed, numRuns: 10_000 })) {
      process.stderr.write(lineOfRow(await expectNoLoss(world, ...drawn)));
      if (performance.now() >= until) break;
    }
  });

  it('are compared by a check that sees what is lost, twice, stuck and wrong', async () => {
    const load = startLoad(world);
    await load.accepts(Date.now());
    await load.finish();
    const { uploads } = load.ledger;
    expect(await judge(world, uploads, 60_000)).toMatchObject(isLoss);
    const [lost, stuck, twice, wrong] = uploads.slice(0, 4);
    await world.service.sql([
      `DELETE FROM uploads WHERE id = '${lost?.uploadId}'`,
      `UPDATE uploads SET state = 'parsed', ended_at = NULL WHERE id = '${stuck?.uploadId}'`,
      `INSERT INTO snapshots SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
         'sequence', s.sequence + 1000000))).* FROM snapshots s WHERE id = '${twice?.uploadId}'`,
      `UPDATE host_state SET critical = critical + 1 WHERE host_id = '${wrong?.hostId}'`,
    ]);
    const verdict = await judge(world, uploads, 0);
    // The planted snapshot is also newer than the last report.
    expect(verdict).toMatchObject({ lost: 1, stuck: 1, twice: 1, wrong: 2 });
  });
});

describeWhere(faketimeFolder() === null ? ['faketime'] : [], 'reports that were accepted, by a clock', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ ownClock: true });
  });
  afterAll(() => world.stop());

  it.each([clock])('survive: $name', (fault) => expectNoLoss(world, fault));

  it('and nothing is deleted, waits or holds because of times of a year ahead', async () => {
    const { service, client, members } = world;
    const session = await signIn(client, testAdmin);
    const host = `'${members[0]?.hostId}'`;
    await service.sql([
      `INSERT INTO ssh_key_pairs (id, public_key, sealed, sealed_to) VALUES (${host}, 'x', 'x', 'x')`,
      `INSERT INTO ssh_targets (host_id, "user", port, frequency_minutes, key_pair_id, next_pull_at)
         SELECT id, 'x', 22, 60, id, now() + interval '1 hour' FROM hosts WHERE id = ${host}`,
    ]);
    const kept = () =>
      service.sql([
        `SELECT (SELECT count(*) FROM hosts) AS hosts, (SELECT count(*) FROM snapshots) AS snapshots,
           (SELECT count(*) FROM advisories) AS advisories, (SELECT count(*) FROM sessions) AS sessions`,
      ]);
    const before = await kept();
    const ahead = async () =>
      (
        await service.sql([
          `SELECT (SELECT count(*)::int FROM ssh_targets WHERE next_pull_at > now() + interval '1 hour') AS pulls,
             (SELECT count(*)::int FROM host_state WHERE judged_until > now() + interval '2 days') AS judgements,
             (SELECT count(*)::int FROM notification_deliveries WHERE state = 'waiting') AS messages`,
        ])
      )[0];
    await clock.inject(world);
    await service.sql([`UPDATE ssh_targets SET next_pull_at = now()`]);
    await waitFor(
      'a pull to be claimed then',
      async () => (await service.sql(['SELECT FROM pull_jobs'])).length > 0,
    );
    // Of a channel that is gone, so that the attempt ends it.
    await service.sql([
      `INSERT INTO notification_deliveries (id, channel_name, channel_kind, route_name, is_limited, event, state, items, due_at, next_attempt_at)
         SELECT gen_random_uuid(), 'c', 'webhook', 'r', false, 'host.stale', 'waiting', '{"events": [], "omitted": 0}', at, at
         FROM (SELECT now() + interval '1 hour' AS at) t`,
    ]);
    await clock.heal(world);
    expect(await ahead()).toMatchObject({ pulls: 1, messages: 1 });
    const none = { pulls: 0, judgements: 0, messages: 0 };
    const come = async () => isDeepStrictEqual(await ahead(), none);
    await waitFor('what is ahead to come', come, { timeoutMs: 60_000 });
    expect(await kept()).toEqual(before);
    const { status } = await client.send({ path: '/hosts', token: session });
    expect(status).toBe(200);
  });
});
