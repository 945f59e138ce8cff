import { once } from 'node:events';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** How often a drip sends a byte, milliseconds. */
const dripMs = 10;

/** A client that is not bound to HTTP, and that never ends its half of the connection. */
export interface RawClient {
  readonly socket: Duplex;
  /** What has come so far. */
  received(): string;
  /** Whether the server has ended its half, or all of it. */
  isClosed(): boolean;
  /** Sends a text again and again, whatever is answered. */
  drip(text: string): void;
  close(): void;
}

/** Connects from one of the addresses of this machine and sends a text. */
export async function connectRaw(url: string, text = '', localAddress = '127.0.0.1'): Promise<RawClient> {
  const { port } = new URL(url);
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
  const client = rawClient(socket);
  await once(socket, 'connect');
  socket.write(text);
  return client;
}

/** Speaks over a socket that somebody else connected. */
export function rawClient(socket: Duplex): RawClient {
  let received = '';
  let isClosed = false;
  let dripping: NodeJS.Timeout | null = null;
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
  });
  // Being cut off is what these clients are made for.
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
