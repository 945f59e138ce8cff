import { createHostLifeStore, createHostStore, systemActor } from '@plimsoll/db';
import { type HostId, wholeFleet } from '@plimsoll/model';
import { workerPer } from './worker-under-test.ts';

// What never was there has no time from which it is old: it must be told all the same.
const by = systemActor('test');
const worker = workerPer('file');

beforeAll(async () => {
  await worker.addRoute({ events: ['feed.stale', 'host.stale', 'host.back'] });
  await worker.sql(
    `INSERT INTO feeds (id) VALUES ('debian-osv'), ('ubuntu-osv'), ('cisa-kev') ON CONFLICT DO NOTHING`,
  );
  await worker.look(); // The first look of an installation tells nothing.
});

/** What was told since the last call. */
async function told() {
  await worker.look();
  await worker.collect();
  const events = (await worker.deliveries()).flatMap(({ items }) => items.events);
  await worker.sql('DELETE FROM notification_attempts');
  await worker.sql('DELETE FROM notification_deliveries');
  return events.map(({ event, subject, data, hosts }) => [
    event,
    subject || (hosts ?? []).map(({ display_name: name }) => name).join(),
    data['updated_at'] ?? null,
    data['releases'] ?? null,
  ]);
}

it('tells a host that never reported once it is late, and its first report', async () => {
  const id = await worker.addHost('late');
  await worker.addHost('new');
  expect(await told()).toEqual([]);
  await worker.sql(`UPDATE hosts SET created_at = now() - interval '2 hours' WHERE id = $1`, [id]);
  expect(await told()).toEqual([['host.stale', 'late', null, null]]);
  await worker.report('0 seconds', id);
  expect(await told()).toEqual([['host.back', 'late', null, null]]);
});

const twoHoursOld = (column: string, id: HostId) =>
  worker.sql(`UPDATE hosts SET ${column} = now() - interval '2 hours' WHERE id = $1`, [id]);

it('counts the silence of a host that waited for approval from its approval', async () => {
  const id = await worker.addHost('waited');
  await twoHoursOld('created_at', id);
  await worker.sql(`UPDATE hosts SET approval_status = 'pending' WHERE id = $1`, [id]);
  expect(await told()).toEqual([]);
  expect(await createHostStore(worker.database.as('api')).approve(wholeFleet, id, by)).toBe(true);
  expect(await told()).toEqual([]);
  await twoHoursOld('approved_at', id);
  // Not a new approval.
  await worker.sql(`UPDATE hosts SET approval_status = 'approved' WHERE id = $1`, [id]);
  expect(await told()).toEqual([['host.stale', 'waited', null, null]]);
  await worker.sql('DELETE FROM hosts WHERE id = $1', [id]);
  expect(await told()).toEqual([]);
});

it('counts the silence of a reinstated host from its return, or from a later report', async () => {
  const id = await worker.addHost('returned');
  await worker.report('2 days', id);
  expect(await told()).toEqual([['host.stale', 'returned', null, null]]);
  const life = createHostLifeStore(worker.database.as('api'));
  for (const kind of ['retire', 'reinstate'] as const) {
    await life.act(wholeFleet, [id], { kind }, by);
    expect(await told()).toEqual([]);
  }
  await twoHoursOld('approved_at', id);
  expect(await told()).toEqual([['host.stale', 'returned', null, null]]);
  await worker.report('30 minutes', id);
  expect(await told()).toEqual([['host.back', 'returned', null, null]]);
});

it('tells no first report of a host that was retired and reinstated between two looks', async () => {
  const id = await worker.addHost('between');
  await worker.report('2 days', id);
  expect(await told()).toEqual([['host.stale', 'between', null, null]]);
  const life = createHostLifeStore(worker.database.as('api'));
  for (const kind of ['retire', 'reinstate'] as const) await life.act(wholeFleet, [id], { kind }, by);
  expect(await told()).toEqual([]);
  await twoHoursOld('approved_at', id);
  expect(await told()).toEqual([['host.stale', 'between', null, null]]);
  await worker.report('0 seconds', id);
  await worker.look();
  await worker.collect();
  // Silent again before the message is sent, and not yet looked at.
  await worker.report('2 days', id);
  await worker.advance();
  await worker.attemptAll();
  expect(await worker.deliveries()).toMatchObject([{ event: 'host.back', state: 'cancelled' }]);
  await worker.sql('DELETE FROM hosts WHERE id = $1', [id]);
  await told();
});

it('tells a feed that was never synced after hosts have needed it for a day, and no feed that none needs', async () => {
  const id = await worker.addHost('reporting');
  const { rows } = await worker.sql(
    `INSERT INTO releases (name, feed_id) VALUES ('debian:12', 'debian-osv')
     ON CONFLICT (name) DO UPDATE SET feed_id = 'debian-osv' RETURNING id`,
  );
  const needSince = (age: string) =>
    worker.sql(
      `UPDATE host_state SET judged_until = '1970-01-01', snapshot_id = '019a0000-0000-7000-8000-000000000000', release_id = $2,
         first_snapshot_at = now() - $3::interval WHERE host_id = $1`,
      [id, rows[0].id, age],
    );
  await worker.sql('UPDATE host_contacts SET last_confirmed_at = now() WHERE host_id = $1', [id]);
  await needSince('1 hour');
  expect(await told()).toEqual([]);
  await needSince('2 days');
  expect(await told()).toEqual([
    ['feed.stale', 'cisa-kev', null, null],
    ['feed.stale', 'debian-osv', null, null],
  ]);
  expect(await told()).toEqual([]);
  await worker.sql(`UPDATE feeds SET updated_at = now() WHERE id IN ('debian-osv', 'cisa-kev')`);
  expect(await told()).toEqual([]);
});

it('tells a current feed whose data of a release with hosts is old', async () => {
  const add = (release: string) =>
    worker.sql(
      `INSERT INTO feed_releases (feed_id, release, updated_at)
       VALUES ('debian-osv', $1, '2026-01-02T03:04:05Z')`,
      [release],
    );
  await add('debian:11');
  expect(await told()).toEqual([]);
  await add('debian:12');
  expect(await told()).toEqual([
    ['feed.stale', 'debian-osv/debian:12', '2026-01-02T03:04:05Z', ['debian:12']],
  ]);
  // That it stays old does not hide that the whole feed becomes old.
  await worker.sql(`UPDATE feeds SET updated_at = '2026-01-03T00:00:00Z' WHERE id = 'debian-osv'`);
  expect(await told()).toEqual([['feed.stale', 'debian-osv', '2026-01-03T00:00:00Z', null]]);
});
