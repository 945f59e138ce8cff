import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMetrics } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import { createApp } from '../src/create-app.ts';
import { createLargeReads, type LargeReadLimits } from '../src/reads/large-reads.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { type CheckedClient, createCheckedClient } from './checked-client.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

const few: LargeReadLimits = { atOnce: 3, perUser: 2, waiting: 4, waitingPerUser: 3, waitMs: 60_000 };
const staying = new AbortController().signal;

describe('large reads', () => {
  it('of one user run a few at a time and leave places for others', async () => {
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
    // Both waited; the user with the fewest places is served first.
    expect(order).toEqual(['eve', 'ada']);
  });

  it('are refused to a user with too many, and to everyone if too many wait in total', async () => {
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

  it('wait only for a limited time, and say whose limit it was', async () => {
    const reads = createLargeReads({ ...few, waitMs: 20 });
    await Promise.all([reads.enter('ada', staying), reads.enter('ada', staying)]);
    await expect(reads.enter('ada', staying)).rejects.toMatchObject({ code: 'rate_limited' });
    const leave = await reads.enter('bob', staying);
    await expect(reads.enter('eve', staying)).rejects.toMatchObject({ code: 'unavailable' });
    leave();
    await expect(reads.enter('eve', staying)).resolves.toBeInstanceOf(Function);
  });

  it('of disconnected clients give up their turn', async () => {
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

interface Served {
  readonly client: CheckedClient;
  /** The client of a read that is blocked. */
  readonly held: RawClient;
  /** Unblocks it. */
  release(): Promise<void>;
  askForHosts(): Promise<RawClient>;
}

describe('the API', () => {
  let api: ApiUnderTest;
  let token: string;
  beforeAll(async () => {
    api = await startApi();
    token = await setUp(api);
  });
  afterAll(() => api.stop());

  /** Runs `work` while a read of the first user, who may have one at a time, is blocked. */
  async function whileOneIsRead(
    waiting: Pick<LargeReadLimits, 'waitingPerUser' | 'waitMs'>,
    work: (served: Served) => Promise<void>,
  ): Promise<void> {
    const largeReadLimits = { atOnce: 8, perUser: 1, waiting: 8, ...waiting };
    const settings = { ...api.context.settings, largeReadLimits };
    const app = createApp({ ...api.context, metrics: createMetrics(), settings });
    const server = createHttpServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const askForHosts = () =>
      connectRaw(
        `http://127.0.0.1:${port}`,
        `GET /api/v1/hosts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    const locker = await api.database.db.pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('LOCK TABLE hosts IN ACCESS EXCLUSIVE MODE');
      const held = await askForHosts();
      const isHeld = async () => {
        const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        // Not by the transaction: it sees the activity of its first look.
        return (await api.database.db.pool.query(sql)).rows.length > 0;
      };
      await waitFor('the read to wait for the table', isHeld);
      const release = async () => void (await locker.query('ROLLBACK'));
      await work({ client: createCheckedClient(server), held, askForHosts, release });
    } finally {
      locker.release(true);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  it('answers 429 to a user whose large reads are all in progress, and serves other requests meanwhile', () =>
    whileOneIsRead({ waitingPerUser: 1, waitMs: 200 }, async ({ client, held, release }) => {
      const refused = await client.get('/api/v1/hosts', { token });
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '5',
      ]);
      expect((await client.get('/api/v1/auth/me', { token })).status).toBe(200);
      await release();
      await waitFor('the answer', () => held.received().includes('200 OK'));
      held.close();
      expect((await client.get('/api/v1/hosts', { token })).status).toBe(200);
    }));

  it('treats a client that disconnects during its wait as gone, not as a failure', () =>
    whileOneIsRead({ waitingPerUser: 1, waitMs: 60_000 }, async ({ askForHosts }) => {
      const { lines } = api.log;
      const before = lines.length;
      const pair = [await askForHosts(), await askForHosts()];
      await waitFor('one to be refused', () => pair.some((client) => client.received().includes(' 429 ')));
      // The other one has the only place in the queue.
      pair.find((client) => client.received() === '')?.close();
      const told = () => lines.slice(before).map(({ msg }) => msg);
      await waitFor('the log to tell', () => told().includes('request aborted'));
      expect(told()).not.toContain('request failed');
    }));
});
