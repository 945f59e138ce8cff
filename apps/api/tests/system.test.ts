import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInstanceStore, createRoundStore } from '@plimsoll/db';
import { expectedRounds } from '@plimsoll/model';
import { keepHeartbeat } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import { apiPerFile } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';
import { sampleReport } from './sample-report.ts';

const api = apiPerFile();

const system = async () => (await api.admin.get('/api/v1/system')).body;
const appsOf = (body: { instances: { app: string; alive: boolean }[] }) =>
  body.instances.map(({ app, alive }) => [app, alive]);

it('gives the version of the product and of PostgreSQL, and its queues', async () => {
  const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../../../package.json'), 'utf8'));
  const body = await system();
  expect([body.version, body.queue.backend, body.queue.state]).toEqual([version, 'postgres', 'up']);
  expect(body.database.version).toMatch(/^\d+\.\d+/);
  expect(body.queue.queues.map(({ name }: { name: string }) => name)).toContain('report-parse');
});

it('lists live processes, and drops one that ended', async () => {
  const heartbeat = keepHeartbeat('scheduler', api.database.as('scheduler'), api.log.logger);
  await waitFor('the heartbeat', async () => (await system()).instances.length === 1);
  expect(appsOf(await system())).toEqual([['scheduler', true]]);
  await heartbeat.stop();
  expect((await system()).instances).toEqual([]);
});

it('lists a process that died for a day, as not alive', async () => {
  const store = createInstanceStore(api.database.db);
  const instance = { app: 'ssh-worker', hostname: 'a', pid: 1, version: '0.1.0' };
  const id = await store.begin(instance);
  const setAge = (age: string) =>
    api.database.db.pool.query('UPDATE instances SET last_seen_at = now() - $2::interval WHERE id = $1', [
      id,
      age,
    ]);
  await setAge('1 minute');
  expect(appsOf(await system())).toEqual([['ssh-worker', false]]);
  // The second was written while the clock was ahead.
  for (const age of ['25 hours', '-25 hours']) {
    await store.touch(id, instance);
    await setAge(age);
    expect((await system()).instances).toEqual([]);
    await store.dropSilent(new Date());
    expect((await api.database.db.pool.query('SELECT FROM instances')).rowCount).toBe(0);
  }
});

it('shows each round that the service repeats, also before it ran, and names one that fails in readiness and metrics', async () => {
  const roundsOf = async () =>
    new Map<string, object>((await system()).rounds.map((round: { name: string }) => [round.name, round]));
  const metricOf = async (metric: string, round: string) =>
    (await api.get('/metrics')).text
      .split('\n')
      .find((line) => line.startsWith(`${metric}{round="${round}"}`));
  expect([...(await roundsOf()).keys()]).toEqual([...expectedRounds].sort());
  expect(await system()).toMatchObject({ backup: { last_ok_at: null, last_error: null } });
  const never = { state: 'never', last_ok_at: null, last_error: null };
  expect((await roundsOf()).get('drop old uploads')).toEqual({ name: 'drop old uploads', ...never });
  expect(await metricOf('plimsoll_round_last_success_age_seconds', 'drop old uploads')).toMatch(/ \+Inf$/);

  const store = createRoundStore(api.database.as('scheduler'));
  await store.noteSuccess('drop old uploads');
  await store.noteFailure('fold snapshots', 'a reason');
  const rounds = await roundsOf();
  expect(rounds.get('drop old uploads')).toMatchObject({ state: 'ok', last_error: null });
  const last_error = { at: expect.any(String), message: 'a reason' };
  expect(rounds.get('fold snapshots')).toMatchObject({ state: 'failing', last_ok_at: null, last_error });
  // Looked at once a second, for metrics, too.
  await waitFor('readiness', async () => (await api.get('/readyz')).body.status === 'degraded');
  expect((await api.get('/readyz')).body).toMatchObject({
    status: 'degraded',
    failing_rounds: ['fold snapshots'],
  });
  expect(await metricOf('plimsoll_round_failing', 'fold snapshots')).toMatch(/ 1$/);
  expect(await metricOf('plimsoll_round_failing', 'drop old uploads')).toMatch(/ 0$/);
  expect(await metricOf('plimsoll_round_last_success_age_seconds', 'drop old uploads')).toMatch(
    / \d+(\.\d+)?$/,
  );

  await store.noteSuccess('fold snapshots');
  await api.database.db.pool.query("UPDATE rounds SET failed_at = failed_at - interval '1 minute'");
  expect((await roundsOf()).get('fold snapshots')).toMatchObject({ state: 'ok', last_error });
  // What it found is kept for a moment.
  await waitFor('readiness', async () => (await api.get('/readyz')).body.status === 'ready');
  expect((await api.get('/readyz')).body.failing_rounds).toEqual([]);
  await api.database.db.pool.query(
    "UPDATE rounds SET last_ok_at = last_ok_at - interval '3 days', failed_at = failed_at - interval '3 days'",
  );
  expect((await roundsOf()).get('fold snapshots')).toMatchObject({ state: 'late' });
  // While the database's clock was ahead.
  await api.database.db.pool.query("UPDATE rounds SET failed_at = now() + interval '500 days'");
  await store.noteSuccess('fold snapshots');
  expect((await roundsOf()).get('fold snapshots')).toMatchObject({ state: 'ok' });
  await api.database.db.pool.query("UPDATE rounds SET last_ok_at = now() + interval '500 days'");
  await store.noteFailure('fold snapshots', 'a reason');
  expect((await roundsOf()).get('fold snapshots')).toMatchObject({ state: 'failing' });
  await store.keepOnly(['drop old uploads']);
  expect((await roundsOf()).get('fold snapshots')).toMatchObject({ state: 'never' });
});

it('gives since when work waits, and what failed', async () => {
  const fleet = fleetOf(api);
  const host = await fleet.addHost();
  await fleet.send(host, sampleReport());
  await fleet.sendAndWait(await fleet.addHost(), 'not a report');
  const [upload] = await fleet.uploadsOf(host);
  const body = await system();
  expect(body.work).toContainEqual({ work: 'parse', waiting: 1, oldest_at: upload.received_at });
  expect(body.work).toContainEqual({ work: 'pull', waiting: 0, oldest_at: null });
  expect(body.failures).toEqual({ rejected_uploads: 1, failed_pulls: 0, failed_imports: 0, failed_feeds: 0 });
});

it('gives its checks, worst first, and the space of folders that it can see', async () => {
  const { checks, disk } = await system();
  const states: string[] = checks.map(({ state }: { state: string }) => state);
  const order = ['fault', 'warning', 'unknown', 'ok'];
  expect(states).toEqual([...states].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'backup', state: 'warning' }));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'database', state: 'ok' }));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'disk', state: 'unknown' }));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'processes', state: 'fault' }));
  const unseen = { folder: 'downloads', free_bytes: null, size_bytes: null };
  expect(disk).toEqual([expect.objectContaining({ folder: 'data', free_bytes: expect.any(Number) }), unseen]);
});
