import type { Server } from 'node:http';

/** Time for requests in progress to finish. */
const graceMs = 10_000;
const idleCheckMs = 100;

/**
 * Stops accepting connections, gives requests in progress ten seconds to finish, then closes the remaining connections.
 */
export async function closeHttpServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection whose request has just finished would be kept for another request that cannot come.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
