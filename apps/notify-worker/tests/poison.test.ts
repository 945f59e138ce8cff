import { createFailedEventStore, systemActor } from '@plimsoll/db';
import { receiverPerTest } from './receiver.ts';
import { workerPer } from './worker-under-test.ts';

const worker = workerPer('test');
const receiver = receiverPerTest();

/** The number of a ledger's change is text that is no number: no statement takes it. */
const poison = ['ledger.knowledge', 'no number', '{}'] as const;
const put = ([event, subject, hosts]: readonly [string, string, string]) =>
  worker.sql('SELECT add_notification_event($1, $2, $3::uuid[], $4::jsonb)', [event, subject, hosts, '{}']);
const subjects = async () =>
  (await worker.deliveries()).flatMap(({ items }) => items.events.map(({ subject }) => subject));

it('collects all other rows, keeps the one that cannot be collected with its reason, and gives it up at last', async () => {
  await worker.addRoute({ events: ['auth.lockout'] });
  for (const user of ['a', 'b', 'c']) await put(['auth.lockout', user, '{}']);
  await put(poison);
  for (const user of ['d', 'e']) await put(['auth.lockout', user, '{}']);
  const { taken, failed } = await worker.collect();
  expect([taken, failed]).toMatchObject([5, [{ event: 'ledger.knowledge', starts: 1, isFinal: false }]]);
  expect(await subjects()).toEqual(['a', 'b', 'c', 'd', 'e']);
  // Not before its time.
  await put(['auth.lockout', 'f', '{}']);
  expect(await worker.collect()).toEqual({ taken: 1, failed: [] });
  const store = createFailedEventStore(worker.database.as('api'));
  const [waiting] = await store.list(10);
  expect(waiting).toMatchObject({ error: expect.stringContaining('invalid input syntax'), failedAt: null });
  expect((waiting?.nextTryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(30_000);
  for (let n = 0; n < 9; n += 1) {
    // The column keeps milliseconds: now() may be rounded up to a time that is not due yet.
    await worker.sql(
      `UPDATE notification_events SET next_try_at = now() - interval '1 second' WHERE next_try_at IS NOT NULL`,
    );
    await worker.collect();
  }
  expect(await store.list(10)).toMatchObject([{ starts: 10, nextTryAt: null, failedAt: expect.any(Date) }]);
  expect(await worker.collect()).toEqual({ taken: 0, failed: [] });
});

it('collects a row again that was given up when a user asks, alone, and again as often', async () => {
  await worker.addRoute({ events: ['auth.lockout'] });
  await put(poison);
  await worker.sql(`UPDATE notification_events SET starts = 10, error = 'a fault', failed_at = now()`);
  const store = createFailedEventStore(worker.database.as('api'));
  const [given] = await store.list(10);
  const by = systemActor('a test');
  expect(await store.retry(given?.id ?? '', by)).toMatchObject({ failedAt: null, error: 'a fault' });
  expect(await worker.collect()).toMatchObject({ taken: 0, failed: [{ starts: 4, isFinal: false }] });
  // Without the fault its messages are written, and it is not a failed event.
  await worker.sql(`UPDATE notification_events SET event = 'auth.lockout', subject = 'mended'`);
  expect(await store.retry(given?.id ?? '', by)).not.toBeNull();
  expect([await worker.collect(), await subjects()]).toEqual([{ taken: 1, failed: [] }, ['mended']]);
  expect([await store.list(10), await store.retry(given?.id ?? '', by)]).toEqual([[], null]);
  const { rows } = await worker.sql(
    `SELECT details ->> 'event' AS event FROM audit_events WHERE action = 'failed_event.retried' ORDER BY 1 DESC`,
  );
  expect(rows).toEqual([{ event: 'ledger.knowledge' }, { event: 'auth.lockout' }]);
});

it('begins a row alone that may have ended the process, and gives it up after ten starts without an end', async () => {
  await worker.addRoute({ events: ['auth.lockout'] });
  for (const user of ['killer', 'suspect', 'other']) await put(['auth.lockout', user, '{}']);
  await worker.sql(
    `UPDATE notification_events SET starts = CASE subject WHEN 'killer' THEN 10 WHEN 'suspect' THEN 5 ELSE 0 END`,
  );
  expect(await worker.collect()).toMatchObject({ taken: 2, failed: [{ starts: 11, isFinal: true }] });
  expect(await subjects()).toEqual(['other', 'suspect']);
});

it('sends the other messages of a channel although some cannot be written', async () => {
  const channel = await worker.addChannel({ url: receiver.url });
  await worker.addRoute({ events: ['auth.lockout'] }, channel);
  for (let n = 0; n < 6; n += 1) await worker.tell('auth.lockout', `user-${n}`);
  await worker.sql(
    `UPDATE notification_deliveries SET items = '{"events": 1}' WHERE id IN (SELECT id FROM notification_deliveries ORDER BY id LIMIT 5)`,
  );
  await worker.attemptAll();
  await worker.attemptAll();
  expect(receiver.received).toHaveLength(1);
  const { rows } = await worker.sql(
    `SELECT d.state, d.attempts, a.error, d.next_attempt_at > now() AS later FROM notification_deliveries d
     JOIN notification_attempts a ON a.delivery_id = d.id WHERE a.outcome = 'failed'`,
  );
  expect(rows).toEqual(
    Array(5).fill({
      state: 'waiting',
      attempts: 1,
      error: expect.stringContaining('cannot be written'),
      later: true,
    }),
  );
  await worker.sql(
    `UPDATE notification_deliveries SET due_at = now() - interval '24 hours', next_attempt_at = now() - interval '1 second'`,
  );
  await worker.attemptAll();
  await worker.attemptAll();
  const { rows: ended } = await worker.sql(`SELECT DISTINCT state FROM notification_deliveries ORDER BY 1`);
  expect(ended).toEqual([{ state: 'delivered' }, { state: 'failed' }]);
});

it('sends a text that is cut within a character of two halves', async () => {
  const channel = await worker.addChannel({ url: receiver.url, kind: 'mattermost' });
  await worker.addRoute({ events: ['feed.failed'] }, channel);
  await worker.sql(`INSERT INTO feeds (id, consecutive_failures) VALUES ('debian-osv', 1)`);
  await worker.tell('feed.failed', 'debian-osv', [], { error: `${'x'.repeat(198)}😀${'y'.repeat(50)}` });
  await worker.attemptAll();
  expect(await worker.deliveries()).toMatchObject([{ state: 'delivered' }]);
});

it('compares the other conditions if one cannot be compared', async () => {
  await worker.addRoute({ events: ['feed.stale', 'waiver.expiring'] });
  await worker.look();
  await worker.sql('ALTER TABLE waivers RENAME TO waivers_away');
  await worker.sql(
    `INSERT INTO feeds (id, updated_at, stale_after_seconds) VALUES ('debian-osv', now() - interval '1 year', 60)`,
  );
  expect(await worker.look()).toMatchObject({ begun: 1, failed: [{ event: 'waiver.expiring' }] });
  await worker.collect();
  expect(await subjects()).toEqual(['debian-osv']);
});
