import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP server for a test, on a loopback port. */
export interface FakeServer {
  readonly port: number;
  /** Connections accepted so far, and connections open now. */
  readonly taken: number;
  readonly open: number;
  stop(): Promise<void>;
}

/** Starts a server that passes every connection to `serve`. */
export async function startFakeServer(serve: (socket: Socket) => void, port = 0): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let taken = 0;
  const server: Server = createServer((socket) => {
    taken += 1;
    sockets.add(socket);
    // Clients that give up reset the connection, as these tests intend.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    serve(socket);
    // An unread socket does not notice that the other side is gone.
    if (socket.listenerCount('data') === 0) socket.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    port: address.port,
    get taken() {
      return taken;
    },
    get open() {
      return sockets.size;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Relays connections to another port, with bytes changed by `change`, which gets the number of earlier bytes. */
export function startProxy(
  targetPort: number,
  change: (chunk: Buffer, before: number, towards: 'client' | 'server', client: Socket) => void,
): Promise<FakeServer> {
  return startFakeServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const pass = (from: Socket, to: Socket, towards: 'client' | 'server') => {
      let before = 0;
      from.on('data', (chunk: Buffer) => {
        change(chunk, before, towards, client);
        before += chunk.length;
        to.write(chunk);
      });
      from.on('error', () => undefined).on('close', () => to.destroy());
    };
    pass(client, server, 'server');
    pass(server, client, 'client');
  });
}

/** A local port that silently drops all further connections: a listener that never accepts. */
export async function startBlackHole(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const program = `const s = require('net').createServer(); s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port));`;
  const child: ChildProcess = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) =>
    child.stdout?.once('data', (text) => resolve(Number(text))),
  );
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  // Once the queue is full, a connection stays pending.
  for (let full = false; !full && fillers.length < 16; ) {
    const socket = connect(port, '127.0.0.1');
    fillers.push(socket);
    full = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), 300);
      socket
        .on('error', () => undefined)
        .once('connect', () => {
          clearTimeout(timer);
          resolve(false);
        });
    });
  }
  return {
    port,
    async stop() {
      for (const socket of fillers) socket.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
