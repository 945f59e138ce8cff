import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** The HTTP server for a worker's health and metrics. */
export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /healthz` and `/readyz` (200 while `isHealthy` resolves, else 503) and `GET /metrics` of a process
 * without an API. Port 0 is a free one.
 */
export async function serveHealth(options: {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  /** Rejects when the process cannot do its work. */
  readonly isHealthy: () => Promise<void>;
}): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type }).end(text);
    };
    const [pathname] = (request.url ?? '/').split('?');
    if (request.method !== 'GET') answer(405, 'text/plain', 'method not allowed\n');
    else if (pathname === '/healthz' || pathname === '/readyz') {
      options.isHealthy().then(
        () => answer(200, 'text/plain', 'ok\n'),
        () => answer(503, 'text/plain', 'unhealthy\n'),
      );
    } else if (pathname === '/metrics') {
      options.metrics.render().then(
        ({ contentType, text }) => answer(200, contentType, text),
        () => answer(500, 'text/plain', 'metrics cannot be read\n'),
      );
    } else answer(404, 'text/plain', 'not found\n');
  });
  await listen(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port, // A listening TCP server has an address.
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
