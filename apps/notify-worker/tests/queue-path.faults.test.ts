import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  describeWhere,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  testAdmin,
  testRedisUrl,
  waitFor,
} from '@plimsoll/testing';
import { type MailReceiver, startMailReceiver } from './mail-receiver.ts';
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts';

jest.setTimeout(420_000);

const redisUrl = testRedisUrl();

/** Through the scheduler, Redis and a real notify-worker to real receivers that break in every way. */
describeWhere(redisUrl === null ? ['redis-server'] : [], 'messages through Redis', () => {
  let database: TestDatabase;
  let service: TestService;
  let http: Receiver;
  let mail: MailReceiver;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    http = await startReceiver();
    mail = await startMailReceiver();
    service = await startService({
      projectDir: path.resolve(__dirname, '../../..'),
      databaseUrl: database.url,
      queue: { kind: 'redis', url: redisUrl ?? '' },
      apps: ['api', 'scheduler', 'notify-worker'],
      env: {
        PLIMSOLL_NOTIFICATIONS_ALLOWED_NETWORKS: '127.0.0.0/8',
        PLIMSOLL_MAIL_HOST: '127.0.0.1',
        PLIMSOLL_MAIL_PORT: String(mail.port),
        PLIMSOLL_MAIL_SECURITY: 'none',
        PLIMSOLL_MAIL_FROM: 'plimsoll@example.org',
      },
    });
    client = await setUpClient(service.url);
  });
  afterAll(async () => {
    await service.stop();
    await http.stop();
    await mail.stop();
    await database.drop();
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await database.db.pool.query<Row>(text, values)).rows;
  let events = 0;
  const tell = async (n: number) => {
    for (let left = n; left > 0; left -= 1) {
      events += 1;
      await query(`SELECT add_notification_event('auth.lockout', $1, '{}', '{}')`, [`user-${events}`]);
    }
  };
  /** As if the waits between attempts were over; an attempt that runs keeps its lease. */
  const advance = () =>
    query(
      `UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 second' WHERE state = 'waiting'`,
    );

  async function addRouteTo(channel: object): Promise<void> {
    const body = { name: 'c', ...channel };
    let answer = await client.send('POST', '/channels', body);
    await waitFor('the key of the notify-worker', async () => {
      if (answer.status !== 201) answer = await client.send('POST', '/channels', body);
      return answer.status === 201;
    });
    const { id } = answer.body as { id: string };
    const route = await client.send('POST', '/routes', {
      name: 'r',
      channel_id: id,
      events: ['auth.lockout'],
    });
    expect(route.status).toBe(201);
  }

  const failures = async () =>
    (
      await query<{ n: number }>(
        `SELECT count(*)::int AS n FROM notification_attempts WHERE outcome = 'failed'`,
      )
    )[0]?.n ?? 0;

  it('lose nothing, are repeated only under the same id, and never after an answer of success', async () => {
    await addRouteTo({ kind: 'webhook', url: http.url });
    await addRouteTo({ kind: 'email', addresses: [testAdmin.email] });
    const faults: readonly (Behaviour | 'away')[] = [
      500,
      'close',
      { redirect: http.privateUrl },
      'hang',
      'away',
    ];
    for (const fault of faults) {
      if (fault === 'away') {
        await http.goAway();
        await mail.goAway();
      } else {
        http.behaves(fault);
        mail.behaves(fault === 'hang' || fault === 'close' ? fault : 'refuse');
      }
      const before = await failures();
      await tell(1);
      await advance();
      await waitFor(
        `failed attempts of both (${JSON.stringify(fault)})`,
        async () => (await failures()) >= before + 2,
        {
          timeoutMs: 60_000,
        },
      );
    }
    await http.comeBack();
    await mail.comeBack();
    http.behaves('hang');
    const seen = http.received.length;
    await tell(2);
    await advance();
    await waitFor('an attempt', async () => http.received.length > seen, { timeoutMs: 60_000 });
    for (const child of service.processes('notify-worker')) child.kill('SIGKILL');
    // What a killed worker had sent is still read and must not be accepted: no process would know of it.
    await waitFor('the end of the killed worker', () => service.processes('notify-worker').length === 0);
    await waitFor(
      'the end of its connections',
      async () => (await http.openConnections()) + mail.openConnections() === 0,
    );
    http.behaves(200);
    mail.behaves('accept');
    service.start('notify-worker');
    await waitFor(
      'every delivery',
      async () => {
        await advance();
        const [row] = await query<{ n: number }>(
          `SELECT count(*)::int AS n FROM notification_deliveries WHERE state = 'delivered'`,
        );
        return row?.n === 2 * events;
      },
      { timeoutMs: 200_000 },
    );
    expect(http.privateHits()).toBe(0);
    expect(await service.queueRefusals()).toEqual([]);
    const byId = new Map<string, typeof http.received>();
    for (const one of http.received) {
      const id = String(one.headers['plimsoll-delivery']);
      byId.set(id, [...(byId.get(id) ?? []), one]);
    }
    expect(byId.size).toBe(events);
    expect(new Set(http.received.map(({ body }) => JSON.parse(body).data.user_id)).size).toBe(events);
    for (const requests of byId.values()) {
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
      expect(requests.map(({ answered }) => answered === 200)).toEqual([
        ...Array(requests.length - 1).fill(false),
        true,
      ]);
    }
    expect(mail.accepted).toHaveLength(events);
    expect(new Set(mail.accepted).size).toBe(events);
    expect(mail.offered.filter((id) => !mail.accepted.includes(id))).toEqual([]);
  });
});
