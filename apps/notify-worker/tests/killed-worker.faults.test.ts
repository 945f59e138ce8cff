import path from 'node:path';
import {
  createTestDatabase,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { type Receiver, startReceiver } from './receiver.ts';

let database: TestDatabase;
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  service = await startService({
    projectDir: path.resolve(__dirname, '../../..'),
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
    apps: ['api', 'scheduler', 'notify-worker'],
    env: { PLIMSOLL_NOTIFICATIONS_ALLOWED_NETWORKS: '127.0.0.0/8' },
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await database.drop();
});

/** Of more than these at once one message would be made. */
const events = 8;
const channels = 6;
const deliveries = events * channels;
/** What the receiver does in turn while messages are sent. */
const faults = [500, 'close', 200, { redirect: 'http://169.254.169.254/' }, 200] as const;
const deliveredCount = async () => {
  const { rows } = await database.db.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM notification_deliveries WHERE state = 'delivered'`,
  );
  return rows[0]?.n ?? 0;
};

it('tells every event although receivers break and the notify-worker is killed under load, repeating only under the same id', async () => {
  const client = await setUpClient(service.url);
  let channel = await client.send('POST', '/channels', { name: 'c', kind: 'webhook', url: receiver.url });
  await waitFor('the key of the notify-worker', async () => {
    if (channel.status !== 201)
      channel = await client.send('POST', '/channels', { name: 'c', kind: 'webhook', url: receiver.url });
    return channel.status === 201;
  });
  for (let n = 0; n < channels; n += 1) {
    if (n > 0)
      channel = await client.send('POST', '/channels', { name: `c${n}`, kind: 'webhook', url: receiver.url });
    const route = {
      name: `r${n}`,
      channel_id: (channel.body as { id: string }).id,
      events: ['auth.lockout'],
    };
    expect((await client.send('POST', '/routes', route)).status).toBe(201);
  }
  receiver.behaves(...faults);
  await database.db.pool.query(
    `SELECT add_notification_event('auth.lockout', 'user-' || n, '{}', '{}') FROM generate_series(1, $1::int) n`,
    [events],
  );
  await waitFor('attempts', async () => receiver.received.length > deliveries / 4, { timeoutMs: 60_000 });
  receiver.behaves('hang');
  const seen = receiver.received.length;
  // As if the waits between attempts were over; an attempt that runs keeps its lease.
  const advance = () =>
    database.db.pool.query(
      `UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 second' WHERE state = 'waiting'`,
    );
  await advance();
  await waitFor('an attempt that hangs', async () => receiver.received.length > seen, { timeoutMs: 60_000 });
  // An answer that was received is stored at once; the worker must not be killed between the two.
  const acceptedCount = () => receiver.received.filter(({ answered }) => answered === 200).length;
  await waitFor('the accepted ones to be stored', async () => (await deliveredCount()) === acceptedCount());
  for (const child of service.processes('notify-worker')) child.kill('SIGKILL');
  receiver.behaves(200);
  service.start('notify-worker');
  // The attempts that were cut off are made again when their leases are over.
  await waitFor(
    'every delivery',
    async () => {
      await advance();
      return (await deliveredCount()) === deliveries;
    },
    { timeoutMs: 200_000 },
  );
  const told = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const id = String(headers['plimsoll-delivery']);
    told.set(id, (told.get(id) ?? new Set()).add(body));
  }
  expect(told.size).toBe(deliveries);
  expect([...told.values()].filter((bodies) => bodies.size > 1)).toEqual([]);
  const accepted = receiver.received.flatMap(({ headers, answered }) =>
    answered === 200 ? [String(headers['plimsoll-delivery'])] : [],
  );
  // Repeated only where the worker did not read the answer: it was killed, or waited in vain on a busy machine.
  const { rows } = await database.db.pool.query<{ repeated: number; unread: number }>(
    `SELECT (count(*) FILTER (WHERE a.status BETWEEN 200 AND 299 AND EXISTS (
         SELECT FROM notification_attempts b WHERE b.delivery_id = a.delivery_id AND b.n > a.n)))::int AS repeated,
       (count(*) FILTER (WHERE a.status IS NULL))::int AS unread FROM notification_attempts a`,
  );
  expect(rows[0]?.repeated).toBe(0);
  expect(accepted.length - new Set(accepted).size).toBeLessThanOrEqual(rows[0]?.unread ?? 0);
  expect(receiver.received.some(({ answered }) => answered === 500)).toBe(true);
});
