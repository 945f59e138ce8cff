import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMetrics } from '@plimsoll/observability';
import { waitFor } from '@plimsoll/testing';
import { createApp } from '../src/create-app.ts';
import { createHttpServer } from '../src/http/http-server.ts';
import { createLargeReads, type LargeReadLimits } from '../src/reads/large-reads.ts';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { createCheckedClient } from './checked-client.ts';
import { connectRaw } from './raw-client.ts';

const few: LargeReadLimits = { atOnce: 3, perUser: 2, waiting: 4, waitingPerUser: 3, waitMs: 60_000 };
const staying = new AbortController().signal;

describe('large reads', () => {
  it('of one user run a few at a time, and leave places to others', async () => {
    const reads = createLargeReads(few);
    const first = await reads.enter('ada', staying);
    await reads.enter('ada', staying);
    const order: string[] = [];
    const third = reads.enter('ada', staying).then(() => order.push('ada'));
    await reads.enter('bob', staying);
    const next = reads.enter('eve', staying).then((leave) => {
      order.push('eve');
      leave();
    });
    first();
    await Promise.all([third, next]);
    // Both waited; who has fewest places comes first.
    expect(order).toEqual(['eve', 'ada']);
  });

  it('are refused to a user with too many, and to anybody where too many of all wait', async () => {
    const reads = createLargeReads(few);
    const test = new AbortController();
    const enter = (user: string) => reads.enter(user, test.signal);
    await Promise.all([enter('ada'), enter('ada'), enter('bob')]);
    const waiting = [enter('ada'), enter('ada'), enter('ada')];
    await expect(enter('ada')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
    const last = enter('bob');
    await expect(enter('eve')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    test.abort(new Error('over'));
    const ends = await Promise.allSettled([...waiting, last]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });

  it('do not wait for longer than they may, and say whose fault it is', async () => {
    const reads = createLargeReads({ ...few, waitMs: 20 });
    await Promise.all([reads.enter('ada', staying), reads.enter('ada', staying)]);
    await expect(reads.enter('ada', staying)).rejects.toMatchObject({ code: 'rate_limited' });
    const leave = await reads.enter('bob', staying);
    await expect(reads.enter('eve', staying)).rejects.toMatchObject({ code: 'unavailable' });
    leave();
    await expect(reads.enter('eve', staying)).resolves.toBeInstanceOf(Function);
  });

  it('whose client has gone give up their turn', async () => {
    const reads = createLargeReads({ ...few, atOnce: 1 });
    const leave = await reads.enter('ada', staying);
    const gone = new AbortController();
    const given = reads.enter('bob', gone.signal);
    gone.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    const eve = reads.enter('eve', staying);
    leave();
    await expect(eve).resolves.toBeInstanceOf(Function);
  });
});

describe('the API', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  it('answers 429 to a user whose large reads are all being answered, and other requests meanwhile', async () => {
    const token = await setUp(api);
    const limits = { atOnce: 8, perUser: 1, waiting: 8, waitingPerUser: 1, waitMs: 200 };
    const settings = { ...api.context.settings, largeReadLimits: limits };
    const app = createApp({ ...api.context, metrics: createMetrics(), settings });
    const server = createHttpServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = createCheckedClient(server);
    const locker = await api.database.db.pool.connect();
    try {
      // A read that cannot end holds the only place.
      await locker.query('BEGIN');
      await locker.query('LOCK TABLE hosts IN ACCESS EXCLUSIVE MODE');
      const { port } = server.address() as AddressInfo; // It listens on TCP.
      const authorized = `Host: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      const held = await connectRaw(
        `http://127.0.0.1:${port}`,
        `GET /api/v1/hosts HTTP/1.1\r\n${authorized}`,
      );
      const isHeld = async () => {
        const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        // Not by the transaction: it sees the activity as it was when it first looked.
        return (await api.database.db.pool.query(sql)).rows.length > 0;
      };
      await waitFor('the read to wait for the table', isHeld);
      const refused = await client.get('/api/v1/hosts', { token });
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '5',
      ]);
      expect((await client.get('/api/v1/auth/me', { token })).status).toBe(200);
      await locker.query('ROLLBACK');
      await waitFor('the answer', () => held.received().includes('200 OK'));
      held.close();
      expect((await client.get('/api/v1/hosts', { token })).status).toBe(200);
    } finally {
      locker.release(true);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
});
