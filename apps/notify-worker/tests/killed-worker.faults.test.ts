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

const events = 8;
const deliveredCount = async () => {
  const { rows } = await database.db.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM notification_deliveries WHERE state = 'delivered'`,
  );
  return rows[0]?.n ?? 0;
};

it('tells every event although the notify-worker is killed while it sends, repeating only under the same id', async () => {
  const client = await setUpClient(service.url);
  let channel = await client.send('POST', '/channels', { name: 'c', kind: 'webhook', url: receiver.url });
  await waitFor('the key of the notify-worker', async () => {
    if (channel.status !== 201)
      channel = await client.send('POST', '/channels', { name: 'c', kind: 'webhook', url: receiver.url });
    return channel.status === 201;
  });
  const route = { name: 'r', channel_id: (channel.body as { id: string }).id, events: ['auth.lockout'] };
  expect((await client.send('POST', '/routes', route)).status).toBe(201);
  receiver.behaves('hang');
  await database.db.pool.query(
    `SELECT add_notification_event('auth.lockout', 'user-' || n, '{}', '{}') FROM generate_series(1, $1::int) n`,
    [events],
  );
  await waitFor('an attempt', async () => receiver.received.length > 0, { timeoutMs: 60_000 });
  for (const child of service.processes('notify-worker')) child.kill('SIGKILL');
  receiver.behaves(200);
  service.start('notify-worker');
  // The attempts that were cut off are made again when their leases are over.
  await waitFor('every delivery', async () => (await deliveredCount()) === events, { timeoutMs: 200_000 });
  const told = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const id = String(headers['plimsoll-delivery']);
    told.set(id, (told.get(id) ?? new Set()).add(body));
  }
  expect(told.size).toBe(events);
  expect([...told.values()].filter((bodies) => bodies.size > 1)).toEqual([]);
});
