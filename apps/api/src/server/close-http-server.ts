import type { Server } from 'node:http';

/** How long requests in hand may take to finish. */
const graceMs = 10_000;
const idleCheckMs = 100;

/** Takes no more connections, lets requests in hand finish for ten seconds, then cuts what is left. */
export async function closeHttpServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection whose request has just been finished is kept for the next one, which will not come any more.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
