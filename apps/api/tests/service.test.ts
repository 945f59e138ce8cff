import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { operationIds, operationOf } from '@plimsoll/contract';
import { type Database, openDatabase } from '@plimsoll/db';
import { createMetrics } from '@plimsoll/process';
import { jobs, openQueue } from '@plimsoll/queue';
import { waitFor } from '@plimsoll/testing';
import { createApp } from '../src/create-app.ts';
import { closeHttpServer } from '../src/server/close-http-server.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { createStores } from '../src/stores.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { type CheckedClient, createCheckedClient } from './checked-client.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerFile();

describe('health and readiness', () => {
  it('are public', async () => {
    expect((await api.get('/healthz')).body).toEqual({ status: 'ok' });
    expect((await api.get('/readyz')).body).toEqual({
      status: 'ready',
      database: 'up',
      migrations: 'applied',
      queue: 'up',
      failing_rounds: [],
    });
  });

  it('fail while a migration is missing', async () => {
    const { pool } = api.database.db;
    await pool.query('ALTER TABLE _prisma_migrations RENAME TO migrations_away');
    let answer = await api.get('/readyz');
    await waitFor('a new check', async () => {
      answer = await api.get('/readyz');
      return answer.status === 503;
    });
    await pool.query('ALTER TABLE migrations_away RENAME TO _prisma_migrations');
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(answer.body.errors).toEqual([
      { pointer: '/migrations', detail: expect.stringMatching(/^The database lacks \d+/) },
    ]);
  });

  it('fail on a schema that a newer program made', async () => {
    const { pool } = api.database.db;
    const { rows } = await pool.query('SELECT version FROM schema_state');
    await pool.query(`UPDATE schema_state SET digest = digest || '.', version = '9.0.0'`);
    const answer = await api.get('/readyz');
    await pool.query('UPDATE schema_state SET digest = substr(digest, 1, 32), version = $1', [
      rows[0].version,
    ]);
    expect([answer.status, answer.body.errors]).toEqual([
      503,
      [{ pointer: '/migrations', detail: expect.stringMatching(/too new for this program/) }],
    ]);
  });
});

describe('readiness of an API with another database connection', () => {
  const limited = async (
    statement: string,
    work: (client: CheckedClient, database: Database) => Promise<void>,
  ) => {
    const name = new URL(api.database.url).pathname.slice(1);
    await api.database.db.pool.query(`ALTER DATABASE ${name} ${statement}`);
    const database = openDatabase({
      databaseUrl: api.database.urlOf('api'),
      poolSize: 5,
      applicationName: 'readiness',
      onIdleError: () => undefined,
    });
    const server = createHttpServer(createApp({ ...api.context, metrics: createMetrics(), database }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      await work(createCheckedClient(server), database);
    } finally {
      await api.database.db.pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
      await api.database.db.pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await closeHttpServer(server);
      await database.close();
    }
  };

  it.each([
    [
      'that is read-only',
      'SET default_transaction_read_only = on',
      'The database is read-only. Try again later.',
    ],
    ['without a free one', 'CONNECTION LIMIT 0', 'The database has no free connection. Try again later.'],
  ])('%s: 503, and why', (_, statement, detail) =>
    limited(statement, async (client) => {
      const answer = await client.get('/readyz');
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.body).toMatchObject({
        detail: `Not ready. ${detail}`,
        errors: [{ pointer: '/database', detail }],
      });
    }),
  );

  it('is looked at once a second, however many ask', () =>
    limited('CONNECTION LIMIT -1', async (client, database) => {
      let statements = 0;
      database.pool.on('acquire', () => {
        statements += 1;
      });
      const ask = () => Promise.all(Array.from({ length: 50 }, () => client.get('/readyz')));
      const before = performance.now();
      await ask();
      const once = statements;
      const answers = await ask();
      const checks = 1 + Math.ceil((performance.now() - before) / 1_000);
      expect(answers.map(({ body }) => body.status)).toEqual(Array.from({ length: 50 }, () => 'ready'));
      expect(once).toBeGreaterThan(0);
      expect(statements).toBeLessThanOrEqual(once * checks);
    }));
});

describe('a relay between the API and its database', () => {
  it('that is cut makes requests unavailable without ending the process, and recovers', async () => {
    const relay = await startRelay(new URL(api.database.url));
    const url = new URL(api.database.url);
    url.port = String(relay.port);
    const database = openDatabase({
      databaseUrl: url.href,
      poolSize: 5,
      applicationName: 'relayed',
      onIdleError: () => undefined,
    });
    const server = createHttpServer(
      createApp({ ...api.context, metrics: createMetrics(), database, stores: createStores(database) }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = createCheckedClient(server);
    try {
      const host = await enrol(api);
      const snapshot = {
        token: host.token,
        bytes: sampleSnapshot(),
        headers: { 'Content-Type': 'application/x-protobuf' },
      };
      expect((await client.get('/api/v1/hosts', { token: api.admin.token })).status).toBe(200);
      relay.cut();
      for (const answer of [
        await client.get('/api/v1/hosts', { token: api.admin.token }),
        await client.post('/api/v1/agent/snapshots', snapshot),
        await client.post('/api/v1/auth/login', { json: { email: 'a@b', password: 'x' } }),
        await client.get('/readyz'),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      }
      expect((await client.get('/healthz')).status).toBe(200);
      expect((await client.get('/metrics')).status).toBe(200);
      relay.mend();
      expect((await client.get('/api/v1/hosts', { token: api.admin.token })).status).toBe(200);
      expect((await client.post('/api/v1/agent/snapshots', snapshot)).status).toBe(202);
    } finally {
      await closeHttpServer(server);
      await database.close();
      await relay.close();
    }
  });
});

describe('a queue that is unreachable', () => {
  it('refuses no upload and is reported by readiness', async () => {
    const queue = await openQueue(jobs, {
      backend: { kind: 'redis', url: 'redis://127.0.0.1:1', prefix: '{nowhere}' },
      observe: () => undefined,
    });
    const server = createHttpServer(createApp({ ...api.context, metrics: createMetrics(), queue })).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const client = createCheckedClient(server);
    try {
      const host = await enrol(api);
      const answer = await client.post('/api/v1/agent/snapshots', {
        token: host.token,
        bytes: sampleSnapshot(),
        headers: { 'Content-Type': 'application/x-protobuf' },
      });
      expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
      expect((await client.get('/readyz')).body).toMatchObject({ status: 'degraded', queue: 'down' });
      expect((await client.get('/metrics')).status).toBe(200);
    } finally {
      await closeHttpServer(server);
      await queue.close();
    }
  });
});

describe('metrics', () => {
  it('count requests by route, never by id', async () => {
    const { id } = await enrol(api);
    await api.admin.get(`/api/v1/hosts/${id}`);
    await api.get('/nothing');
    const { text } = await api.get('/metrics');
    expect(text).toContain(
      'plimsoll_http_request_duration_seconds_count{route="/api/v1/hosts/{id}",method="GET",status="200"} 1',
    );
    expect(text).toContain(
      'plimsoll_http_request_duration_seconds_count{route="unknown",method="GET",status="404"} 1',
    );
    expect(text).not.toContain(id);
  });

  it('get few series from anonymous clients, whatever methods they send to whatever paths', async () => {
    const app = createApp({ ...api.context, metrics: createMetrics() });
    const server = createHttpServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on TCP
    const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
    const paths = [...new Set(operationIds.map((id) => operationOf(id).path)), '/{id}', '/{id}/x.php'];
    const sent = http.METHODS.filter((method) => method !== 'CONNECT').flatMap((method) =>
      paths.map(async (path) => {
        const request = http.request({
          agent,
          port,
          method,
          path: path.replaceAll(/\{\w+\}/g, randomUUID()),
        });
        const [response]: http.IncomingMessage[] = await once(request.end(), 'response');
        response?.resume();
        await once(response ?? request, 'end');
      }),
    );
    try {
      await Promise.all(sent);
      const { text } = await createCheckedClient(server).get('/metrics');
      const series = [...text.matchAll(/_count\{route="(.+)",method="(.+)",status="(\d+)"\}/g)];
      expect([...new Set(series.map(([, , method]) => method))].sort()).toEqual(
        ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'other'].sort(),
      );
      const refused = series.filter(([, , , status]) => status === '405').map(([, route]) => route);
      expect(new Set(refused)).toEqual(new Set(['unknown']));
      // Of each operation one answer to its method and, if it reads, to HEAD.
      expect(series.length).toBeLessThan(2 * operationIds.length);
      expect(text.length).toBeLessThan(700_000);
    } finally {
      agent.destroy();
      await closeHttpServer(server);
    }
  });

  it('give the number of waiting uploads, their oldest age and the depth of the queues', async () => {
    const host = await enrol(api);
    const headers = { 'Content-Type': 'application/x-protobuf' };
    await api.post('/api/v1/agent/snapshots', { token: host.token, bytes: sampleSnapshot(), headers });
    const { text } = await api.get('/metrics');
    expect(text).toMatch(/^plimsoll_uploads_pending\{state="received"\} [1-9]/m);
    expect(text).toMatch(/^plimsoll_uploads_pending\{state="parsed"\} 0$/m);
    expect(text).toMatch(/^plimsoll_uploads_pending_oldest_seconds\{state="received"\} \d/m);
    expect(text).toMatch(/^plimsoll_queue_jobs\{queue="report-parse",state="waiting"\} [1-9]/m);
  });
});

describe('the age of the oldest waiting upload', () => {
  it('is in the first scrape, and is current in the next', async () => {
    const server = createHttpServer(createApp({ ...api.context, metrics: createMetrics() })).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const client = createCheckedClient(server);
    const ageNow = async () => {
      const { text } = await client.get('/metrics');
      return Number(
        /^plimsoll_uploads_pending_oldest_seconds\{state="received"\} ([\d.]+)$/m.exec(text)?.[1],
      );
    };
    try {
      const host = await enrol(api);
      const headers = { 'Content-Type': 'application/x-protobuf' };
      await client.post('/api/v1/agent/snapshots', { token: host.token, bytes: sampleSnapshot(), headers });
      const { upload } = api.database.db.prisma;
      const receivedAt = new Date(Date.now() - 7_200_000);
      await upload.updateMany({ where: { state: 'received' }, data: { receivedAt } });
      expect(await ageNow()).toBeGreaterThanOrEqual(7200);
      await upload.updateMany({ where: { state: 'received' }, data: { state: 'rejected' } });
      expect(await ageNow()).toBe(0);
    } finally {
      await closeHttpServer(server);
    }
  });
});

describe('a server that is closed', () => {
  it('accepts nothing more and finishes what is in progress', async () => {
    const server = createHttpServer(createApp({ ...api.context, metrics: createMetrics() })).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on TCP
    const json = JSON.stringify({ email: 'nobody@example.org', password: 'x' });
    const sending = http.request({
      port,
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: { 'Content-Type': 'application/json', 'Content-Length': json.length },
    });
    sending.write(json.slice(0, 5));
    await waitFor(
      'the connection',
      () => new Promise<boolean>((resolve) => server.getConnections((_, n) => resolve(n === 1))),
    );
    const closed = closeHttpServer(server);
    await waitFor('no more connections', () =>
      connect(port).then(
        () => false,
        () => true,
      ),
    );
    sending.end(json.slice(5));
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    response?.resume();
    expect(response?.statusCode).toBe(401);
    await closed;
  });
});

async function connect(port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

/** Relays connections to a server until it is cut. */
async function startRelay(target: URL) {
  const open = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const onward = net.connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listens on TCP
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
