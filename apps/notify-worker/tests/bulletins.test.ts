import { createBulletinClock } from '@plimsoll/db';
import { nextBulletin } from '../src/schedule/next-bulletin.ts';
import { mailReceiverPerTest } from './mail-receiver.ts';
import { mailerTo, workerPer } from './worker-under-test.ts';

const mail = mailReceiverPerTest();
const worker = workerPer('test', () => ({ mailer: mailerTo(mail.port) }));

async function dueBulletin(): Promise<void> {
  const channel = await worker.addChannel({ kind: 'email', addresses: ['ops@example.org'] });
  await worker.sql(
    `INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', 'A', 'operator')`,
  );
  await worker.sql(
    `INSERT INTO notification_bulletins (id, name, channel_id, owner_id, is_limited, every, weekday, day, at, time_zone, next_at, created_by)
     SELECT gen_random_uuid(), 'Weekly', $1, id, false, 'week', 1, 1, '08:00', 'Europe/Berlin', now(), email FROM users`,
    [channel],
  );
  const clock = createBulletinClock(worker.database.as('notify-worker'), nextBulletin);
  expect([await clock.look(), await clock.look()]).toEqual([1, 0]);
}

it('is made, sent with its table, and sent again with the same content after a refusal', async () => {
  await dueBulletin();
  mail.behaves('refuse');
  await worker.attemptAll();
  expect(await worker.deliveries()).toMatchObject([
    { event: 'bulletin', state: 'waiting', attempts: [{ status: 451 }] },
  ]);
  mail.behaves('accept');
  await worker.advance();
  await worker.attemptAll();
  const [{ id } = { id: '' }] = await worker.deliveries();
  expect(mail.offered).toEqual([`${id}@example.org`, `${id}@example.org`]);
  expect(mail.accepted).toHaveLength(1);
  const [message = ''] = mail.messages;
  expect(message).toMatch(/text\/plain[\s\S]*text\/html[\s\S]*text\/csv/);
  expect(message).toContain('No host is in this report');
  const { rows } = await worker.sql('SELECT last_at, base FROM notification_bulletins');
  expect(rows).toEqual([{ last_at: expect.any(Date), base: expect.objectContaining({ hosts: 0 }) }]);
});

it('is not sent for a maker who may not, and says why', async () => {
  await dueBulletin();
  await worker.sql('UPDATE users SET disabled_at = now()');
  await worker.attemptAll();
  expect(mail.offered).toEqual([]);
  expect(await worker.deliveries()).toMatchObject([
    { state: 'cancelled', endReason: expect.stringContaining('a@example.org, who made this report') },
  ]);
});

it('comes at its next time after a clock that was a year ahead, without another one meanwhile', async () => {
  await dueBulletin();
  await worker.sql(`UPDATE notification_bulletins SET next_at = now() + interval '366 days'`);
  expect(await createBulletinClock(worker.database.as('notify-worker'), nextBulletin).look()).toBe(0);
  const { rows } = await worker.sql(
    `SELECT next_at < now() + interval '8 days' AS soon FROM notification_bulletins`,
  );
  expect(rows).toEqual([{ soon: true }]);
});
