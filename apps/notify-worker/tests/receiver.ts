import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { startedPer } from '@plimsoll/testing';

/** A request that a receiver got. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The status of the answer; null: none was sent. */
  readonly answered: number | null;
}

/** What a receiver does with a request: a status, or a broken answer. */
export type Behaviour = number | 'hang' | 'close' | { readonly redirect: string };

/** An HTTP server that notes requests. */
export interface Receiver {
  readonly url: string;
  /** Another address of the server, whose requests are only counted. */
  readonly privateUrl: string;
  readonly received: readonly Received[];
  privateHits(): number;
  /** The connections that clients have not closed, of clients that were killed too until their end was read. */
  openConnections(): Promise<number>;
  /** From now on; of several, one with each request in turn. */
  behaves(...behaviours: readonly [Behaviour, ...Behaviour[]]): void;
  /** Nothing listens on the port from now on. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** A receiver for each test. */
export function receiverPerTest(): Receiver {
  return startedPer('test', startReceiver, (receiver) => receiver.stop());
}

/** Starts a receiver that answers 200. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let hits = 0;
  let behaviours: readonly [Behaviour, ...Behaviour[]] = [200];
  let turn = 0;
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.url === '/private') {
        hits += 1;
        response.end();
        return;
      }
      const behaviour = behaviours[turn++ % behaviours.length] ?? behaviours[0];
      const answered =
        behaviour === 'hang' || behaviour === 'close'
          ? null
          : typeof behaviour === 'number'
            ? behaviour
            : 302;
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString('utf8'), answered });
      if (behaviour === 'hang') return;
      if (behaviour === 'close') request.socket.destroy();
      else if (typeof behaviour === 'number') response.writeHead(behaviour).end('x');
      else response.writeHead(302, { location: behaviour.redirect }).end();
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/in`,
    privateUrl: `${origin}/private`,
    received,
    privateHits: () => hits,
    openConnections: () => promisify(server.getConnections.bind(server))(),
    behaves(...next) {
      behaviours = next;
      turn = 0;
    },
    goAway: close,
    comeBack: () => listen(port),
    stop: close,
  };
}
