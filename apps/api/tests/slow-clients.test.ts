import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createMetrics } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import { type ConnectionLimits, connectionLimits } from '../src/connections/connection-limits.ts';
import { createApp } from '../src/create-app.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import type { DropReason } from '../src/server/open-connections.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

const other = '127.0.0.2';
const quick: ConnectionLimits = {
  ...connectionLimits,
  requestMs: 400,
  idleMs: 300,
  answerMs: 500,
  graceMs: 100,
  lingerMs: 100,
  sweepMs: 20,
};

const api = apiPerFile();
let hostToken: string;

beforeAll(async () => {
  hostToken = (await enrol(api)).token;
});

interface Served {
  readonly server: Server;
  readonly url: string;
  readonly dropped: DropReason[];
  connect(text?: string, localAddress?: string): Promise<RawClient>;
  many(count: number, text?: string, localAddress?: string): Promise<readonly RawClient[]>;
  openConnections(): Promise<number>;
}

/** Runs `work` with a new server on the shared database, and closes everything. */
async function serving(
  limits: Partial<ConnectionLimits>,
  work: (served: Served) => Promise<void>,
  trustedProxies: readonly string[] = [],
): Promise<void> {
  const app = createApp({
    ...api.context,
    metrics: createMetrics(),
    settings: { ...api.context.settings, trustedProxies },
  });
  const dropped: DropReason[] = [];
  const server = createHttpServer(app, {
    limits: { ...quick, ...limits },
    onDropped: (reason) => void dropped.push(reason),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on TCP.
  const clients: RawClient[] = [];
  const connect = async (text?: string, localAddress?: string) => {
    const client = await connectRaw(url, text, localAddress);
    clients.push(client);
    return client;
  };
  try {
    await work({
      server,
      url,
      dropped,
      connect,
      many: (count, ...how) => Promise.all(Array.from({ length: count }, () => connect(...how))),
      openConnections: promisify(server.getConnections.bind(server)),
    });
  } finally {
    for (const client of clients) client.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

const closedOf = (clients: readonly RawClient[]): number =>
  clients.filter((client) => client.isClosed()).length;
const ask = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const beginPost = (path: string, length: number, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...headers, '', ''].join('\r\n');

describe('a client that sends byte by byte', () => {
  it('a head is answered, and its connection closed although it goes on', () =>
    serving({}, async ({ connect, openConnections, dropped }) => {
      const client = await connect('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      client.drip('a');
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toMatch(/^HTTP\/1\.1 400 .*"detail":"The request took too long\."/s);
      expect(dropped).toEqual(['late']);
    }));

  it('nothing at all is closed without an answer', () =>
    serving({}, async ({ connect, openConnections }) => {
      const client = await connect();
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toBe('');
    }));

  it('on after an answer to data that is not HTTP is closed', () =>
    serving({ requestMs: 60_000 }, async ({ connect, openConnections }) => {
      const client = await connect('GET\r\n\r\n');
      client.drip('a');
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toMatch(/^HTTP\/1\.1 400 .*not well-formed HTTP/s);
    }));

  it('a small body is answered, and its connection closed although it goes on', () =>
    serving({}, async ({ connect, openConnections }) => {
      const client = await connect(beginPost('/api/v1/auth/login', 60_000, 'Content-Type: application/json'));
      client.drip(' ');
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toMatch(/^HTTP\/1\.1 400 .*"detail":"The body took too long\."/s);
    }));

  it.each([
    ['that is refused', beginPost('/api/v1/hosts/manual', 60_000, 'Content-Type: application/json'), 401],
    ['that has no path', beginPost('/api/v1/nothing', 60_000), 404],
    ['that no operation reads', `${beginPost('/healthz', 60_000)}`, 405],
  ])('a body %s is let go after the answer', (_what, text, status) =>
    serving({ requestMs: 60_000 }, async ({ connect, openConnections }) => {
      const client = await connect(text);
      client.drip(' ');
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }),
  );

  it('empty lines after an answer is closed', () =>
    serving({}, async ({ connect, openConnections }) => {
      const client = await connect(ask('/healthz'));
      client.drip('\r\n');
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
    }));

  it('an upload has the time limit of uploads', () =>
    serving({}, async ({ connect, dropped }) => {
      const headers = [`Authorization: Bearer ${hostToken}`, 'Content-Type: application/x-protobuf'];
      const upload = await connect(beginPost('/api/v1/agent/snapshots', 1_000, ...headers));
      const late = await connect('GET /');
      await waitFor('a slow head to be closed', () => late.isClosed());
      const later = await connect('GET /');
      await waitFor('another one to be closed', () => later.isClosed());
      upload.socket.write('a'.repeat(1_000));
      await waitFor('the upload to be read', () => upload.received() !== '');
      expect(upload.received()).toMatch(/^HTTP\/1\.1 400 .*invalid_protobuf/s);
      expect(dropped).toEqual(['late', 'late']);
    }));
});

describe('a client that does not read', () => {
  /** More than all buffers between a server and a client on this machine hold. */
  const manyAnswers = ask('/api/v1/openapi.json').repeat(200);
  const pipelined = 200;

  it('is closed while its answer waits', () =>
    serving({ pipelined }, async ({ connect, openConnections, dropped }) => {
      const client = await connect(manyAnswers);
      client.socket.pause();
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      expect(dropped).toEqual(['slow_reader']);
    }));

  it('for a while, but again and again, gets all of its answer', () =>
    serving({ pipelined }, async ({ connect, dropped }) => {
      const client = await connect(manyAnswers + ask('/healthz', 'Connection: close'));
      const pausing = setInterval(() => {
        client.socket.pause();
        setTimeout(() => client.socket.resume(), 60);
      }, 80);
      await waitFor('the last answer', () => client.isClosed());
      clearInterval(pausing);
      client.socket.resume();
      expect(dropped).toEqual([]);
      expect(client.received()).toMatch(/\{"status":"ok"\}$/);
    }));

  it('an event stream stays, because a stream has no end', () =>
    serving({ answerMs: 100 }, async ({ connect, dropped }) => {
      const stream = await connect(ask('/api/v1/events', `Authorization: Bearer ${api.admin.token}`));
      await waitFor('the stream', () => stream.received().includes('retry:'));
      stream.socket.pause();
      const late = await connect('GET /');
      await waitFor('another one to be closed', () => late.isClosed());
      expect([stream.isClosed(), dropped]).toEqual([false, ['late']]);
    }));
});

describe('a client that sends requests before it is answered', () => {
  const authorized = () => `Authorization: Bearer ${api.admin.token}`;

  it('gets its answers one at a time, in order', () =>
    serving({}, async ({ connect, dropped }) => {
      const last = ask('/api/v1/nothing', 'Connection: close');
      const client = await connect(ask('/healthz') + ask('/api/v1/auth/me', authorized()) + last);
      await waitFor('the last answer', () => client.isClosed());
      const statuses = [...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect([statuses, dropped]).toEqual([['200', '200', '404'], []]);
    }));

  it('is closed when it sends too many', () =>
    serving({ pipelined: 2 }, async ({ connect, openConnections, dropped }) => {
      const stream = ask('/api/v1/events', authorized());
      const modest = await connect(stream + ask('/healthz').repeat(2));
      const greedy = await connect(stream + ask('/healthz').repeat(50));
      await waitFor('the greedy one to be closed', () => greedy.isClosed());
      await waitFor('the server to let go of it alone', async () => (await openConnections()) === 1);
      expect([modest.isClosed(), dropped]).toEqual([false, ['pipelined']]);
    }));

  it('without end ends with its connection, not with an error for each request', () =>
    serving({ pipelined: 2 }, async ({ server, connect, dropped }) => {
      const requests: IncomingMessage[] = [];
      server.on('request', (request) => requests.push(request));
      const greedy = await connect(ask('/api/v1/events', authorized()) + ask('/healthz').repeat(500));
      await waitFor('it to be closed', () => greedy.isClosed());
      await waitFor('the served request to end', () => requests[0]?.destroyed === true);
      expect(dropped).toEqual(['pipelined']);
      expect(requests.length).toBeGreaterThan(100);
      expect(requests.filter((request) => request.destroyed)).toHaveLength(1);
    }));

  it('and disconnects keeps no place among the large reads', () =>
    serving({ pipelined: 32 }, async ({ url, connect, openConnections }) => {
      const { perUser } = api.context.settings.largeReadLimits;
      const client = await connect(ask('/api/v1/hosts', authorized()).repeat(perUser + 8));
      await waitFor('an answer', () => client.received() !== '');
      client.close();
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
      const response = await fetch(`${url}/api/v1/hosts`, {
        headers: { Authorization: `Bearer ${api.admin.token}` },
      });
      expect(response.status).toBe(200);
    }));
});

describe('too many connections', () => {
  it('of one address without a request close its oldest ones, and no others', () =>
    serving({ incompletePerAddress: 5, requestMs: 60_000 }, async ({ connect, many, dropped }) => {
      const mine = await connect();
      const first = await many(3, 'GET ', other);
      const second = await many(5, '', other);
      await waitFor('the oldest to be closed', () => closedOf(first) === 3);
      expect([closedOf(second), mine.isClosed()]).toEqual([0, false]);
      expect(dropped).toEqual(['address', 'address', 'address']);
    }));

  it('of one address pass if each brings its request, as with a fleet behind one address', () =>
    serving({ incompletePerAddress: 5, graceMs: 2_000, idleMs: 60_000 }, async ({ many, dropped }) => {
      const wave = await many(600, ask('/api/v1/agent/config', `Authorization: Bearer ${hostToken}`));
      await waitFor('all answers', () =>
        wave.every((client) => client.received().includes('report_interval')),
      );
      expect([closedOf(wave), dropped]).toEqual([0, []]);
    }));

  it('that showed a credential are not counted by address', () =>
    serving({ incompletePerAddress: 2, idleMs: 60_000 }, async ({ many, connect }) => {
      const hosts = await many(10, ask('/api/v1/agent/config', `Authorization: Bearer ${hostToken}`));
      await waitFor('all answers', () => hosts.every((client) => client.received() !== ''));
      const silent = await many(4);
      await waitFor('the silent ones to be too many', () => closedOf(silent) === 2);
      expect(closedOf(hosts)).toBe(0);
      expect((await connect(ask('/healthz'))).isClosed()).toBe(false);
    }));

  it('in total do not keep others out', () =>
    serving({ most: 20, requestMs: 60_000 }, async ({ many, connect, openConnections }) => {
      const attackers = await many(60, 'GET ', other);
      const mine = await connect('GET ');
      for (let turn = 0; turn < 30; turn += 1) {
        const client = await connect(ask('/healthz', 'Connection: close'));
        await waitFor('an answer', () => client.received().includes('"status":"ok"'));
        attackers.at(turn)?.close();
        await connect('GET ', other);
      }
      expect(mine.isClosed()).toBe(false);
      expect(await openConnections()).toBeLessThanOrEqual(20);
    }));

  it('with requests in progress refuse a new connection', () =>
    serving({ most: 3, answerMs: 60_000 }, async ({ many, connect, dropped }) => {
      const streams = await many(3, ask('/api/v1/events', `Authorization: Bearer ${api.admin.token}`));
      await waitFor('the streams', () => streams.every((stream) => stream.received().includes('retry:')));
      const late = await connect(ask('/healthz'));
      await waitFor('it to be turned away', () => late.isClosed());
      expect([closedOf(streams), dropped]).toEqual([0, ['full']]);
    }));

  it('behind a trusted proxy are counted by the address that it reports', () =>
    serving(
      { incompletePerAddress: 2, requestMs: 60_000, idleMs: 60_000 },
      async ({ many, dropped }) => {
        const body = (address: string) =>
          beginPost(
            '/api/v1/auth/login',
            1_000,
            'Content-Type: application/json',
            `X-Forwarded-For: ${address}`,
          );
        const waiting = await many(10);
        const theirs = await many(6, body('203.0.113.9'));
        const mine = [await many(1, body('198.51.100.1')), await many(1, body('198.51.100.2'))].flat();
        await waitFor('the attacker to lose its oldest', () => closedOf(theirs) === 4);
        expect([closedOf(waiting), closedOf(mine), dropped.length]).toEqual([0, 0, 4]);
      },
      ['127.0.0.1'],
    ));
});
