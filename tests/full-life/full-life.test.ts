import {
  createBulletinClock,
  createConditionWatch,
  createEventCollector,
  createHostCounter,
  createHostWatch,
  createRoundStore,
} from '@plimsoll/db';
import { serviceApps } from '@plimsoll/model';
import {
  applyRulesInBackground,
  createExposureWalkHandler,
  createJudgeHandler,
  createRecountHandler,
  readRejectedAgain,
} from '@plimsoll/pipeline';
import { createMetrics, createRoundLog, keepHeartbeat } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import { type ApiUnderTest, setUp, startApi } from '../../apps/api/tests/api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from '../../apps/api/tests/debian-fleet.ts';
import { defaultLag, importOsv } from '../../apps/api/tests/pipeline.ts';
import { createTestLogger } from '../../apps/api/tests/test-logger.ts';
import { createCollectHandler } from '../../apps/notify-worker/src/collect-handler.ts';
import { createCollectMetrics } from '../../apps/notify-worker/src/collect-metrics.ts';
import { nextBulletin } from '../../apps/notify-worker/src/schedule/next-bulletin.ts';
import { timingOf } from '../../apps/notify-worker/src/schedule/timing.ts';
import { roundsOn } from '../../apps/scheduler/tests/rounds-under-test.ts';
import { type Ending, tableEnds } from './table-ends.ts';

let api: ApiUnderTest;
const { logger, lines } = createTestLogger();
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const query = async <Row extends object>(text: string): Promise<readonly Row[]> =>
  (await api.database.db.pool.query<Row>(text)).rows;

it('every table has a line that says how its rows end', async () => {
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  expect(Object.keys(tableEnds).sort()).toEqual(tables.map(({ name }) => name).sort());
  const cascades = await query<{ name: string }>(
    `SELECT conrelid::regclass || ' ' || confrelid::regclass AS name FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'`,
  );
  const names = new Set(cascades.map(({ name }) => name));
  const without = Object.entries(tableEnds).filter(
    ([table, end]) => end.kind === 'with' && !names.has(`${table} ${end.table}`),
  );
  expect(without).toEqual([]);
  const ends = Object.entries(tableEnds).filter(
    ([, end]) => end.kind === 'ends' && Object.keys(end.over).length === 0,
  );
  expect(ends).toEqual([]);
});

it('every round, and what workers do by themselves, deletes what is over as the role of its app, and nothing else, without a warning', async () => {
  await beginLife();
  // Work on exposures gives way to waiting uploads for a while.
  const early = await makeRows((table) => table !== 'uploads');
  await workByThemselves();
  const made = [...early, ...(await makeRows((table) => table === 'uploads'))];
  // What is unused is condemned by the first look and deleted by the second.
  for (let look = 0; look < 2; look += 1) await runRounds();

  const expected = made.map(({ stays, ...row }) => ({ ...row, isThere: stays }));
  const found: typeof expected = [];
  for (const { stays: _, ...row } of made) {
    const { key } = tableEnds[row.table] as Ending;
    const there = await api.database.db.pool.query(`SELECT FROM ${row.table} WHERE ${key} = $1`, [row.key]);
    found.push({ ...row, isThere: (there.rowCount ?? 0) > 0 });
  }
  expect(found).toEqual(expected);
  expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  const states = await createRoundStore(api.database.as('api')).list();
  const byTheService = states.filter(({ name }) => name !== 'back up');
  expect(byTheService.filter(({ lastOkAt, lastError }) => lastOkAt === null || lastError !== null)).toEqual(
    [],
  );
  // Raw reports are dropped from rows that stay.
  expect(await query(`SELECT sequence FROM snapshots WHERE payload = 'raw'`)).toEqual([]);
});

/** A user, hosts with findings, one of them pulled, and a route: triggers write what they write in a service. */
async function beginLife(): Promise<void> {
  await setUp(api);
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'bash', { fixed: '9' })]);
  const packages = [debianPackage('bash', '5')] as never;
  for (const name of ['alpha', 'bravo']) await reportingHost(api, name, { packages });
  for (const statement of [
    `INSERT INTO users (id, email, name, role, token_generation)
       VALUES (gen_random_uuid(), 'ended@example.org', '', 'viewer', 1)`,
    // A host that never reported.
    `WITH h AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
         VALUES (gen_random_uuid(), 'agent', 'approved', 'silent', 'silent') RETURNING id),
       c AS (INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds) SELECT id, now(), 3600 FROM h)
       INSERT INTO host_state (host_id) SELECT id FROM h`,
    `INSERT INTO notification_channels (id, name, kind, is_limited, created_by) VALUES (gen_random_uuid(), '', 'webhook', false, '')`,
    `INSERT INTO notification_routes (id, channel_id, name, events)
       SELECT gen_random_uuid(), id, '', '{}' FROM notification_channels`,
    `UPDATE snapshots SET sequence = sequence + 1000`,
    `UPDATE host_state SET sequence = sequence + 1000, first_snapshot_at = now() - interval '900 days'
       WHERE snapshot_id IS NOT NULL`,
    `UPDATE host_contacts SET sequence = sequence + 1000`,
    `UPDATE uploads SET sequence = sequence + 1000`,
    `UPDATE host_changes SET sequence = sequence + 1000`,
    `UPDATE package_changes SET sequence = sequence + 1000`,
    `INSERT INTO ssh_key_pairs (id, public_key, sealed, sealed_to) VALUES (gen_random_uuid(), '', '', '')`,
    `INSERT INTO ssh_targets (host_id, "user", port, frequency_minutes, key_pair_id, next_pull_at)
       SELECT h.id, 'root', 22, 60, k.id, now() FROM hosts h, ssh_key_pairs k WHERE hostname = 'bravo'`,
    // The conditions that began before are known.
    `INSERT INTO notification_conditions (event, subject) VALUES ('first look', '')`,
  ])
    await query(statement);
}

interface MadeRow {
  readonly table: string;
  readonly round: string | null;
  readonly cause: string;
  readonly key: string;
  readonly stays: boolean;
}

async function makeRows(isWanted: (table: string) => boolean): Promise<readonly MadeRow[]> {
  const made: MadeRow[] = [];
  for (const [table, end] of Object.entries(tableEnds)) {
    if (end.kind !== 'ends' || !isWanted(table)) continue;
    for (const [round, causes] of [...Object.entries(end.over), [null, end.stays] as const])
      for (const [cause, values] of Object.entries(causes ?? {})) {
        const keys = await query<{ key: string }>(
          `INSERT INTO ${table} (${end.columns}) SELECT ${values} RETURNING ${end.key} AS key`,
        );
        expect(keys).not.toEqual([]);
        made.push(...keys.map(({ key }) => ({ table, round, cause, key, stays: round === null })));
      }
  }
  return made;
}

/** The heartbeats of all apps, and the work of workers that no upload, pull or import asks for. */
async function workByThemselves(): Promise<void> {
  const { database } = api;
  for (const app of serviceApps) await keepHeartbeat(app, database.as(app), logger).stop();
  const delivery = { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 };

  await readRejectedAgain(database.as('report-worker'), 'a build', logger);
  const db = database.as('advisory-worker');
  const matching = { db, counter: createHostCounter(), lag: defaultLag, log: logger };
  const rounds = createRoundLog(createRoundStore(db), logger);
  const catchUp = applyRulesInBackground(matching, rounds);
  await waitFor(
    'the rules',
    async () => (await query(`SELECT FROM rounds WHERE name = 'end snoozed waivers'`)).length > 0,
  );
  await catchUp.stop();
  await createRecountHandler(matching)({ share: 1 }, delivery);
  for (const kind of ['due', 'review'] as const) await createJudgeHandler(matching)({ kind }, delivery);
  await createExposureWalkHandler(matching)({ kind: 'due' }, delivery);

  const notifying = database.as('notify-worker');
  const collect = createCollectHandler({
    collector: createEventCollector(notifying, timingOf),
    watch: createConditionWatch(notifying),
    hosts: createHostWatch(notifying),
    bulletins: createBulletinClock(notifying, nextBulletin),
    metrics: createCollectMetrics(createMetrics()),
    rounds: createRoundLog(createRoundStore(notifying), logger),
    log: logger,
  });
  for (const kind of ['conditions', 'events'] as const) await collect({ kind }, delivery);
}

async function runRounds(): Promise<void> {
  const { database } = api;
  const log = createRoundLog(createRoundStore(database.as('scheduler')), logger);
  for (const round of roundsOn(database, { rung: [], log: logger }).flat())
    await log.run(round.name, () => round.run());
}
