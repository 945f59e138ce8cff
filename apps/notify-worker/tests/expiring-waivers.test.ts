import { createWaiverStore, systemActor } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { workerPer } from './worker-under-test.ts';

const worker = workerPer('test');
beforeEach(async () => {
  await worker.addRoute({ events: ['waiver.expiring'], delayMinutes: 10 });
  // The first look of an installation tells nothing.
  await worker.look();
});

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

async function waive(days: number): Promise<string> {
  const { rows } = await worker.sql(
    `INSERT INTO waivers (id, kind, advisories, packages, host_ids, tags, all_hosts, reason, created_by, expires_at)
     VALUES (gen_random_uuid(), 'risk_accepted', '{CVE-2024-0001}', '{}', '{}', '{}', true, 'a reason', 'admin', $1) RETURNING id`,
    [inDays(days)],
  );
  return rows[0].id;
}
const changeEnd = (id: string, days: number) =>
  createWaiverStore(worker.database.as('api')).update(
    wholeFleet,
    id,
    { expiresAt: inDays(days) },
    systemActor('a test'),
  );
/** The ids of the waivers that were told, and what became of each message. */
async function told() {
  await worker.look();
  await worker.collect();
  return (await worker.deliveries()).map(({ state, items }) => [
    items.events.map(({ subject }) => subject).join(),
    state,
  ]);
}

it('tells a week before, once', async () => {
  const id = await waive(7.01);
  expect(await told()).toEqual([]);
  await worker.sql('UPDATE waivers SET expires_at = $1', [inDays(6.99)]);
  expect(await told()).toEqual([[id, 'waiting']]);
  await worker.sql('UPDATE waivers SET expires_at = $1', [inDays(1)]);
  expect(await told()).toEqual([[id, 'waiting']]);
  const [sent] = await worker.deliveries();
  const data = sent?.items.events[0]?.data ?? {};
  expect(Date.parse(String(data['expires_at']))).toBeCloseTo(inDays(6.99).getTime(), -5);
});

it('tells nothing of a waiver that was ended before, and does not send what waits', async () => {
  const [early, late] = [await waive(30), await waive(3)];
  await worker.sql(`UPDATE waivers SET expires_at = $1, ended_at = now(), end_cause = 'user' WHERE id = $2`, [
    inDays(3),
    early,
  ]);
  expect(await told()).toEqual([[late, 'waiting']]);
  await worker.sql(`UPDATE waivers SET ended_at = now(), end_cause = 'user' WHERE id = $1`, [late]);
  await worker.look();
  await worker.advance();
  await worker.attemptAll();
  expect(await told()).toEqual([[late, 'cancelled']]);
});

it('does not send what waits for a waiver that is extended, and tells it again a week before its new end', async () => {
  const id = await waive(3);
  expect(await told()).toEqual([[id, 'waiting']]);
  await changeEnd(id, 40);
  await worker.look();
  await worker.advance();
  await worker.attemptAll();
  expect(await told()).toEqual([[id, 'cancelled']]);
  await worker.sql('UPDATE waivers SET expires_at = $1', [inDays(5)]);
  expect(await told()).toEqual([
    [id, 'cancelled'],
    [id, 'waiting'],
  ]);
});
