import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { Answer } from './worker-under-test.ts';

/** Runs with a TLS server on loopback with a self-signed certificate, either expired in 2020 or valid. */
export async function withTlsServer(
  certificate: 'expired' | 'untrusted',
  work: (url: string) => Promise<void>,
): Promise<void> {
  const pem = readFileSync(path.resolve(__dirname, `../testdata/tls/${certificate}.pem`));
  const server = createHttpsServer({ cert: pem, key: pem }, (_request, response) => response.end());
  await listening(server, (port) => work(`https://127.0.0.1:${port}/mirror`));
}

/** Runs with a server that passes each connection to `onSocket`. */
export async function withTcpServer(
  onSocket: (socket: Socket) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  await listening(createServer(onSocket), (port) => work(`http://127.0.0.1:${port}/mirror`));
}

/** A loopback port without a listener. */
export async function closedPort(): Promise<number> {
  let closed = 0;
  await listening(createServer(), (port) => {
    closed = port;
    return Promise.resolve();
  });
  return closed;
}

/** The requests of a proxy and its answers. */
export interface ProxyLog {
  /** `CONNECT feeds.example:443`, `GET http://feeds.example/x`. */
  readonly asked: string[];
}

/**
 * Runs with a real forward proxy on loopback (RFC 9110, 9.3.6 for tunnels): it leads every name to the server of
 * `answer` or, in a tunnel, to `tunnelPort`, so that names need not exist. With `credentials` it requires them.
 */
export async function withProxy(
  options: { readonly answer: Answer; readonly tunnelPort?: number; readonly credentials?: string },
  work: (proxy: { readonly host: string; readonly log: ProxyLog }) => Promise<void>,
): Promise<void> {
  const { answer, tunnelPort, credentials } = options;
  const log: ProxyLog = { asked: [] };
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isWelcome = ({ headers }: IncomingMessage) =>
    wanted === undefined || headers['proxy-authorization'] === wanted;
  const proxy = createHttpServer((request, response) => {
    log.asked.push(`${request.method} ${request.url}`);
    if (isWelcome(request)) answer(request, response);
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
  });
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    log.asked.push(`${request.method} ${request.url}`);
    socket.on('error', () => socket.destroy());
    if (!isWelcome(request) || tunnelPort === undefined) {
      socket.end(`HTTP/1.1 ${isWelcome(request) ? 503 : 407} no\r\n\r\n`);
      return;
    }
    const server = connect(tunnelPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      server.pipe(socket);
      socket.pipe(server);
    });
    server.on('error', () => socket.destroy());
  });
  await listening(proxy, (port) => work({ host: `127.0.0.1:${port}`, log }));
}

async function listening(server: Server, work: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    // A listening TCP server has such an address.
    await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
