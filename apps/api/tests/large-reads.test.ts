import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMetrics } from '@plimsoll/process';
import { insertManyHosts, waitFor } from '@plimsoll/testing';
import { connectionLimits } from '../src/connections/connection-limits.ts';
import { createApp } from '../src/create-app.ts';
import {
  createLargeReads,
  type HeldRead,
  type LargeReadLimits,
  type LargeReads,
} from '../src/reads/large-reads.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { apiPerFile } from './api-under-test.ts';
import { type CheckedClient, createCheckedClient } from './checked-client.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

const few: LargeReadLimits = {
  atOnce: 3,
  perUser: 2,
  waiting: 4,
  waitingPerUser: 3,
  waitMs: 60_000,
  patienceMs: 5_000,
};
/** A read whose client takes its answer at once. */
const patient: HeldRead = { delayedMs: () => 0, cut: () => undefined };
const staying = new AbortController().signal;

describe('large reads', () => {
  it('of one user run a few at a time and leave places for others', async () => {
    const reads = createLargeReads(few);
    const first = await reads.enter('ada', staying, patient);
    await reads.enter('ada', staying, patient);
    const order: string[] = [];
    const third = reads.enter('ada', staying, patient).then(() => order.push('ada'));
    await reads.enter('bob', staying, patient);
    const next = reads.enter('eve', staying, patient).then((leave) => {
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
    const enter = (user: string) => reads.enter(user, test.signal, patient);
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
    await Promise.all([reads.enter('ada', staying, patient), reads.enter('ada', staying, patient)]);
    await expect(reads.enter('ada', staying, patient)).rejects.toMatchObject({ code: 'rate_limited' });
    const leave = await reads.enter('bob', staying, patient);
    await expect(reads.enter('eve', staying, patient)).rejects.toMatchObject({ code: 'unavailable' });
    leave();
    await expect(reads.enter('eve', staying, patient)).resolves.toBeInstanceOf(Function);
  });

  it('of disconnected clients give up their turn', async () => {
    const reads = createLargeReads({ ...few, atOnce: 1 });
    const leave = await reads.enter('ada', staying, patient);
    const gone = new AbortController();
    const given = reads.enter('bob', gone.signal, patient);
    gone.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    const eve = reads.enter('eve', staying, patient);
    leave();
    await expect(eve).resolves.toBeInstanceOf(Function);
  });
});

describe('large reads that their clients delay', () => {
  /** Takes a place for each user; reads of `slow` users are delayed. Returns the users that were cut, in order. */
  async function hold(reads: LargeReads, users: readonly string[], delays: Readonly<Record<string, number>>) {
    const cut: string[] = [];
    for (const user of users) {
      const leave = await reads.enter(user, staying, {
        delayedMs: () => delays[user] ?? 0,
        cut() {
          cut.push(user);
          setImmediate(() => leave());
        },
      });
    }
    return cut;
  }

  it('make room for a user without a place, those of the user with the most first', async () => {
    const reads = createLargeReads(few);
    const cut = await hold(reads, ['ada', 'ada', 'bob'], { ada: 6_000, bob: 9_000 });
    await reads.enter('eve', staying, patient);
    expect(cut).toEqual(['ada']);
    await reads.enter('joe', staying, patient);
    expect(cut).toEqual(['ada', 'bob']);
  });

  it('stay while their own user waits, and while no delay is long enough', async () => {
    const reads = createLargeReads({ ...few, waitMs: 50 });
    const delays = { ada: 4_999, bob: 60_000 };
    const cut = await hold(reads, ['ada', 'ada', 'bob'], delays);
    await expect(reads.enter('bob', staying, patient)).rejects.toMatchObject({ code: 'unavailable' });
    expect(cut).toEqual([]);
    delays.bob = 0;
    await expect(reads.enter('eve', staying, patient)).rejects.toMatchObject({ code: 'unavailable' });
    expect(cut).toEqual([]);
  });

  it('are looked for again while a user waits', async () => {
    const reads = createLargeReads(few);
    const delays: Record<string, number> = {};
    const cut = await hold(reads, ['ada', 'ada', 'bob'], delays);
    const entered = reads.enter('eve', staying, patient);
    expect(cut).toEqual([]);
    delays['bob'] = 5_000;
    await entered;
    expect(cut).toEqual(['bob']);
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
  const api = apiPerFile();

  /** Runs `work` while a read of the first user, who may have one at a time, is blocked. */
  async function whileOneIsRead(
    waiting: Pick<LargeReadLimits, 'waitingPerUser' | 'waitMs'>,
    work: (served: Served) => Promise<void>,
  ): Promise<void> {
    const largeReadLimits = { ...few, atOnce: 8, perUser: 1, waiting: 8, ...waiting };
    const settings = { ...api.context.settings, largeReadLimits };
    const app = createApp({ ...api.context, metrics: createMetrics(), settings });
    const server = createHttpServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const askForHosts = () =>
      connectRaw(
        `http://127.0.0.1:${port}`,
        `GET /api/v1/hosts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.admin.token}\r\n\r\n`,
      );
    const locker = await api.database.db.pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('LOCK TABLE host_state IN ACCESS EXCLUSIVE MODE');
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
      const refused = await client.get('/api/v1/hosts', { token: api.admin.token });
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '5',
      ]);
      expect((await client.get('/api/v1/auth/me', { token: api.admin.token })).status).toBe(200);
      await release();
      await waitFor('the answer', () => held.received().includes('200 OK'));
      held.close();
      expect((await client.get('/api/v1/hosts', { token: api.admin.token })).status).toBe(200);
    }));

  it('treats a client that disconnects during its wait as gone, not as a failure', () =>
    whileOneIsRead({ waitingPerUser: 1, waitMs: 60_000 }, async ({ askForHosts }) => {
      const { lines } = api.log;
      const before = lines.length;
      const pair = [await askForHosts(), await askForHosts()];
      await waitFor('one to be refused', () => pair.some((client) => client.received().includes(' 429 ')));
      // The other read has the only place in the queue.
      pair.find((client) => client.received() === '')?.close();
      const told = () => lines.slice(before).map(({ msg }) => msg);
      await waitFor('the log to tell', () => told().includes('request aborted'));
      expect(told()).not.toContain('request failed');
    }));

  it('breaks off an answer that its client does not read, if another user waits for a place', async () => {
    // More than the buffers between a server and a client on this machine can hold.
    await insertManyHosts(api.database.db, 3_000);
    await api.database.db.pool.query(`UPDATE hosts SET display_name = repeat('x', 8000) || hostname`);
    const largeReadLimits = { ...few, atOnce: 1, perUser: 1, patienceMs: 100 };
    const app = createApp({
      ...api.context,
      metrics: createMetrics(),
      settings: { ...api.context.settings, largeReadLimits },
    });
    const dropped: string[] = [];
    const server = createHttpServer(app, {
      limits: { ...connectionLimits, answerMs: 600_000, sweepMs: 20 },
      onDropped: (reason) => void dropped.push(reason),
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const slow = await connectRaw(
      `http://127.0.0.1:${port}`,
      `GET /api/v1/hosts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.admin.token}\r\n\r\n`,
    );
    slow.socket.once('data', () => slow.socket.pause());
    try {
      await waitFor('the answer to begin', () => slow.received() !== '');
      const client = createCheckedClient(server);
      const viewer = { email: 'viewer@example.org', password: 'a long password of theirs' };
      await client.post('/api/v1/users', { token: api.admin.token, json: { ...viewer, role: 'viewer' } });
      const { body } = await client.post('/api/v1/auth/login', { json: viewer });
      const answer = await client.get('/api/v1/feeds', { token: body.token });
      expect(answer.status).toBe(200);
      expect(dropped).toEqual([]);
      expect((await client.get('/api/v1/hosts?limit=1', { token: body.token })).status).toBe(200);
      expect(dropped).toEqual(['slow_reader']);
    } finally {
      slow.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
});
