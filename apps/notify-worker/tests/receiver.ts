import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a request: a status, or a broken answer. */
export type Behaviour = number | 'hang' | 'close' | { readonly redirect: string };

/** An HTTP server that notes requests. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** From now on. */
  behaves(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

/** Starts a receiver that answers 200. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = 200;
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString('utf8') });
      if (behaviour === 'hang') return;
      if (behaviour === 'close') request.socket.destroy();
      else if (typeof behaviour === 'number') response.writeHead(behaviour).end('x');
      else response.writeHead(302, { location: behaviour.redirect }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}/in`,
    received,
    behaves(next) {
      behaviour = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
