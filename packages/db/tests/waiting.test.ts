import { createServer, type Socket } from 'node:net';
import { createTestDatabase, waitFor } from '@plimsoll/testing';
import { isDatabaseAway, openDatabase } from '../src/index.ts';

const options = { poolSize: 1, applicationName: 'waiting', onIdleError: () => undefined };

it('lets statements wait for a connection longer than the limit for connecting', async () => {
  const { url, drop } = await createTestDatabase();
  const { pool, close } = openDatabase({ ...options, databaseUrl: url });
  const sql = 'SELECT pg_sleep(0.7)';
  const startedAt = performance.now();
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => pool.query(sql)));
  expect(performance.now() - startedAt).toBeGreaterThan(6_000);
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  await close();
  await drop();
});

it('the server ends a statement that its client gave up', async () => {
  const { url, db, drop } = await createTestDatabase();
  const { pool, close } = openDatabase({ ...options, databaseUrl: url, statementLimitMs: 500 });
  await expect(pool.query('SELECT pg_sleep(600) AS endless')).rejects.toThrow('Query read timeout');
  const running = `FROM pg_stat_activity WHERE query LIKE '%endless' AND state = 'active'`;
  try {
    await waitFor('its end', async () => (await db.pool.query(`SELECT ${running}`)).rowCount === 0);
  } finally {
    await db.pool.query(`SELECT pg_terminate_backend(pid) ${running}`);
    await close();
    await drop();
  }
});

it('work in the background waits longer than clients for a server that is slow to accept a connection', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const to = {
    databaseUrl: `postgres://user@127.0.0.1:${port}/none`,
    poolSize: 3,
    onIdleError: () => undefined,
  };
  const databases = [
    openDatabase({ ...to, applicationName: 'answers clients', statementLimitMs: 30_000 }),
    openDatabase({ ...to, applicationName: 'works in the background' }),
  ];
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const failed: [number, boolean][] = [];
    const attempts = databases.map(({ pool }, index) =>
      pool.query('SELECT 1').catch((error: unknown) => failed.push([index, isDatabaseAway(error)])),
    );
    await jest.advanceTimersByTimeAsync(10_000);
    expect(failed).toEqual([[0, true]]);
    await jest.advanceTimersByTimeAsync(20_000);
    await Promise.all(attempts);
    expect(failed).toEqual([
      [0, true],
      [1, true],
    ]);
  } finally {
    jest.useRealTimers();
    for (const socket of sockets) socket.destroy();
    server.close();
    await Promise.all(databases.map((db) => db.close()));
  }
});
