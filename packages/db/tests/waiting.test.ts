import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createTestDatabase } from '@plimsoll/testing';
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

it('treats a server as unavailable if it accepts a connection and sends nothing for five seconds', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const { pool, close } = openDatabase({ ...options, databaseUrl: `postgres://u:p@127.0.0.1:${port}/d` });
  const startedAt = performance.now();
  const error = await pool.query('SELECT 1').catch((thrown: unknown) => thrown);
  expect(isDatabaseAway(error)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(25_000);
  await close();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});
