import { databasePerTest } from '@plimsoll/testing';
import { createSessionStore, createUploadStore, judgeDue } from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';
import { addManualHost } from './manual-host.ts';
import { openPullVisits } from './pull-visits.ts';
import { addSshHost } from './ssh-host.ts';

// What a clock wrote that was a year ahead, and is right again.
const database = databasePerTest();
const query = async (text: string, ...values: unknown[]) =>
  (await database.db.pool.query<Record<string, unknown>>(text, values)).rows;
const inAYear = `now() + interval '366 days'`;

it('a pull of a worker that died then is rung for, and begun again', async () => {
  const { database: own, jobs, runs, begin } = await openPullVisits();
  const { jobId } = await begin(await addSshHost(own.db));
  expect(await jobs.waiting(new Date(Date.now() - 10_000), 10)).toEqual([]);
  await own.db.pool.query(`UPDATE pull_jobs SET leased_until = ${inAYear}, queued_at = ${inAYear}`);
  expect(await jobs.waiting(new Date(Date.now() - 10_000), 10)).toEqual([jobId]);
  expect(await runs.begin(jobId, 20)).toMatchObject({ jobId, starts: 2 });
  await own.drop();
});

it('an upload that was received then is rung for', async () => {
  const upload = agentUpload(await addManualHost(database.db), 'first');
  const uploads = createUploadStore(database.db);
  await uploads.accept(upload);
  const ago = () => new Date(Date.now() - 10_000);
  expect(await uploads.pending(ago(), 10)).toEqual([]);
  await query(`UPDATE uploads SET received_at = ${inAYear}`);
  expect(await uploads.pending(ago(), 10)).toEqual([{ id: upload.id, state: 'received' }]);
});

it('a host is judged again, and neither its report nor its feed is current because of times that are to come', async () => {
  const host = await addManualHost(database.db);
  const judged = async (set: string) => {
    await query(`UPDATE host_state SET ${set} WHERE host_id = $1`, host);
    await query('DELETE FROM judgements_due');
    await judgeDue(database.db);
    return query('SELECT status, judged_until < now() + $1::interval AS soon FROM host_state', '25 hours');
  };
  await query(`UPDATE hosts SET onboarding_mode = 'agent'`);
  await query(`UPDATE host_contacts SET last_confirmed_at = now(), collected_at = now()`);
  const reported = `snapshot_id = '019a0000-0000-7000-8000-000000000000', is_manual = false, judged_until = ${inAYear}`;
  expect(await judged(`${reported}, status = 'stale'`)).toEqual([{ status: 'active', soon: true }]);
  await query(`UPDATE host_contacts SET last_confirmed_at = ${inAYear}`);
  expect(await judged(`${reported}, status = 'active'`)).toEqual([{ status: 'stale', soon: true }]);
});

it('nobody is kept from signing in, and sessions of then are over; those of before are not', async () => {
  const sessions = createSessionStore(database.as('scheduler'));
  await query(
    `INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', 'A', 'admin')`,
  );
  for (const at of ['now()', inAYear])
    await query(`INSERT INTO sessions (id, user_id, generation, method, kind, user_agent, created_at, ends_at)
      SELECT gen_random_uuid(), id, token_generation, 'password', 'token', '', ${at}, ${at} + interval '1 hour' FROM users`);
  await query(`INSERT INTO rate_limits (key, points, expire) SELECT key, 9, extract(epoch FROM at) * 1000
    FROM (VALUES ('login-wait:a', ${inAYear}), ('login-wait:b', now() + interval '1 hour'), ('login-known:a', ${inAYear})) AS v (key, at)`);
  for (const kind of ['sessions', 'rate limits'] as const) await sessions.dropExpired(kind, new Date());
  expect(await query('SELECT created_at < now() + $1::interval AS now FROM sessions', '1 day')).toEqual([
    { now: true },
  ]);
  expect(await query('SELECT key FROM rate_limits ORDER BY key')).toEqual([
    { key: 'login-known:a' },
    { key: 'login-wait:b' },
  ]);
});
