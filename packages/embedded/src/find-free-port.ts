import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that was just free. Another process may take it before the caller does: be ready to retry.
 */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('a TCP server has no port'));
      });
    });
  });
}
