import path from 'node:path';
import {
  createTestDatabase,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts';

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
const faults: readonly Behaviour[] = [500, 'close', 200, { redirect: 'http://169.254.169.254/' }, 200];
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
  let turn = 0;
  const breaking = setInterval(() => receiver.behaves(faults[turn++ % faults.length] ?? 200), 40);
  await database.db.pool.query(
    `SELECT add_notification_event('auth.lockout', 'user-' || n, '{}', '{}') FROM generate_series(1, $1::int) n`,
    [events],
  );
  await waitFor('attempts', async () => receiver.received.length > deliveries / 4, { timeoutMs: 60_000 });
  clearInterval(breaking);
  receiver.behaves('hang');
  const seen = receiver.received.length;
  // As if the waits between attempts were over; an attempt that runs keeps its lease.
  const advance = () =>
    database.db.pool.query(
      `UPDATE notification_deliveries SET next_attempt_at = now() WHERE state = 'waiting'`,
    );
  await advance();
  await waitFor('an attempt that hangs', async () => receiver.received.length > seen, { timeoutMs: 60_000 });
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
  // Some time passed after all answers of success before the worker was killed: it had read them.
  const accepted = receiver.received.flatMap(({ headers, answered }) =>
    answered === 200 ? [String(headers['plimsoll-delivery'])] : [],
  );
  expect(accepted.length).toBe(new Set(accepted).size);
  expect(receiver.received.some(({ answered }) => answered === 500)).toBe(true);
});
