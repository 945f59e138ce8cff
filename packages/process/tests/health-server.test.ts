import { once } from 'node:events';
import { connect } from 'node:net';
import { createMetrics, type HealthServer, serveHealth } from '../src/index.ts';

let server: HealthServer;
let healthy: () => Promise<void>;

beforeEach(async () => {
  healthy = async () => undefined;
  const metrics = createMetrics();
  metrics.counter('plimsoll_seen_total', 'Seen.', []).inc(7);
  server = await serveHealth({ host: '127.0.0.1', port: 0, metrics, isHealthy: () => healthy() });
});
afterEach(() => server.close());

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

describe('serveHealth', () => {
  it('answers 200 to /healthz and /readyz while the process can do its work, and 503 while it cannot', async () => {
    expect((await ask('/healthz')).status).toBe(200);
    healthy = async () => {
      throw new Error('the database is away');
    };
    expect((await ask('/readyz')).status).toBe(503);
    const answer = await ask('/healthz?verbose');
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('database');
    healthy = async () => undefined;
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('shows the metrics', async () => {
    const answer = await ask('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('plimsoll_seen_total 7');
  });

  it('answers 404 to any other path and 405 to any other method', async () => {
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/healthz/more')).status).toBe(404);
    expect((await ask('/metrics', 'POST')).status).toBe(405);
  });

  it.each([['//'], ['/%'], ['http://[/healthz'], ['*']])('survives the request target %s', async (target) => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 4/);
    socket.destroy();
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('says when its port is taken', async () => {
    const again = serveHealth({
      host: '127.0.0.1',
      port: server.port,
      metrics: createMetrics(),
      isHealthy: () => healthy(),
    });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('takes no more requests once closed, and does not wait for open connections', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined); // closed by the other side
    await server.close();
    await expect(ask('/healthz')).rejects.toThrow();
  });
});
