import { createBulletinClock } from '@plimsoll/db';
import { createMailer } from '../src/mail/mailer.ts';
import { nextBulletin } from '../src/schedule/next-bulletin.ts';
import { type MailReceiver, startMailReceiver } from './mail-receiver.ts';
import { startWorker, type WorkerUnderTest } from './worker-under-test.ts';

let worker: WorkerUnderTest;
let mail: MailReceiver;
beforeEach(async () => {
  mail = await startMailReceiver();
  const mailer = createMailer({
    host: '127.0.0.1',
    port: mail.port,
    security: 'none',
    user: null,
    password: null,
    from: 'plimsoll@example.org',
    authorities: null,
  });
  worker = await startWorker({ mailer });
});
afterEach(async () => {
  await worker.stop();
  await mail.stop();
});

const sql = (text: string, values: unknown[] = []) => worker.database.db.pool.query(text, values);

async function dueBulletin(): Promise<void> {
  const channel = await worker.addChannel({ kind: 'email', addresses: ['ops@example.org'] });
  await sql(
    `INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', 'A', 'operator')`,
  );
  await sql(
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
  const { rows } = await sql('SELECT last_at, base FROM notification_bulletins');
  expect(rows).toEqual([{ last_at: expect.any(Date), base: expect.objectContaining({ hosts: 0 }) }]);
});

it('is not sent for a maker who may not, and says why', async () => {
  await dueBulletin();
  await sql('UPDATE users SET disabled_at = now()');
  await worker.attemptAll();
  expect(mail.offered).toEqual([]);
  expect(await worker.deliveries()).toMatchObject([
    { state: 'cancelled', endReason: expect.stringContaining('a@example.org, who made this report') },
  ]);
});
