import { once } from 'node:events';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** Interval of a drip's bytes, in milliseconds. */
const dripMs = 10;

/** A client that need not follow HTTP and never ends its half of the connection. */
export interface RawClient {
  readonly socket: Duplex;
  /** The text received so far. */
  received(): string;
  /** Whether the server has ended its half, or both. */
  isClosed(): boolean;
  /** Sends a text repeatedly, whatever the answers. */
  drip(text: string): void;
  close(): void;
}

/** Connects from one of this machine's addresses and sends a text or bytes. */
export async function connectRaw(
  url: string,
  text: string | Buffer = '',
  localAddress = '127.0.0.1',
): Promise<RawClient> {
  const { port } = new URL(url);
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
  const client = rawClient(socket);
  await once(socket, 'connect');
  socket.write(text);
  return client;
}

/** A client on a socket that the caller connected. */
export function rawClient(socket: Duplex): RawClient {
  let received = '';
  let isClosed = false;
  let dripping: NodeJS.Timeout | null = null;
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
  });
  // These clients expect to be disconnected.
  socket.on('error', () => undefined);
  socket.on('end', () => {
    isClosed = true;
  });
  socket.on('close', () => {
    isClosed = true;
    if (dripping !== null) clearInterval(dripping);
  });
  return {
    socket,
    received: () => received,
    isClosed: () => isClosed,
    drip(text) {
      dripping = setInterval(() => socket.write(text), dripMs);
    },
    close: () => void socket.destroy(),
  };
}
