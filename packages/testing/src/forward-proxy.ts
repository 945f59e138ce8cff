import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

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
  options: { readonly answer: RequestListener; readonly tunnelPort?: number; readonly credentials?: string },
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

/** Runs with a server that listens on loopback, and closes it with its connections. */
export async function listening(server: Server, work: (port: number) => Promise<void>): Promise<void> {
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
