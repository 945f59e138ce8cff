import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

/** An attacker's behaviour in its TLS handshake. */
export interface TlsBehaviour {
  readonly what: string;
  /**
   * `silent` sends nothing, `slow` one byte of the first message per second, `first` only the whole first
   * message, `again` the first message and, once it is answered, the same on another connection, `done` the
   * whole handshake and then nothing.
   */
  readonly kind: 'silent' | 'slow' | 'first' | 'again' | 'done';
}

/** Attacks before and right after the end of a handshake. */
export const tlsBehaviours: readonly TlsBehaviour[] = [
  { what: 'silence before the handshake', kind: 'silent' },
  { what: 'a byte of the handshake a second', kind: 'slow' },
  { what: 'silence in the handshake', kind: 'first' },
  { what: 'handshakes without an end', kind: 'again' },
  { what: 'silence after the handshake', kind: 'done' },
];

/** Connections that repeat handshakes: each one costs the server a signature. */
const again = 100;

/** All attackers have this address, the measured client another one. */
const attackerAddress = '127.0.0.2';

/** Keeps `sockets` connections of one behaviour open: those that the server closes are opened again within a second. */
export async function attackWithTls(port: number, sockets: number, { kind }: TlsBehaviour) {
  const first = await firstMessage();
  const open = new Map<net.Socket, number>();
  const most = kind === 'again' ? Math.min(sockets, again) : sockets;
  let opened = 0;
  let closed = 0;
  const connect = (): void => {
    const tcp = net.connect({ port, host: '127.0.0.1', localAddress: attackerAddress });
    tcp.on('error', () => undefined);
    const socket = kind === 'done' ? tls.connect({ socket: tcp, rejectUnauthorized: false }) : tcp;
    opened += 1;
    open.set(socket, 0);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (open.delete(socket)) closed += 1;
    });
    if (kind === 'first' || kind === 'again') socket.on('connect', () => socket.write(first));
    socket.on('data', () => {
      if (kind !== 'again' || !open.delete(socket)) return;
      socket.destroy();
      connect();
    });
  };
  const tick = (): void => {
    if (kind === 'slow') {
      for (const [socket, sent] of open) {
        socket.write(first.subarray(sent, sent + 1));
        open.set(socket, sent + 1);
      }
    }
    // At most a tenth at a time, or the attacker itself would be slow.
    for (let n = 0; n < most / 10 && open.size < most; n += 1) connect();
  };
  const timer = setInterval(tick, 1_000);
  tick();
  return {
    /** Closes every connection. Returns how many were opened, and how many of them the server had closed before. */
    stop() {
      clearInterval(timer);
      const left = [...open.keys()];
      open.clear();
      for (const socket of left) socket.destroy();
      return { opened, closed };
    },
  };
}

/** The first message of a real client. */
async function firstMessage(): Promise<Buffer> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo; // It listens on TCP.
  const client = tls.connect({ port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  const [accepted] = (await once(server, 'connection')) as [net.Socket]; // net's event
  const [message] = (await once(accepted, 'data')) as [Buffer]; // no encoding is set
  client.destroy();
  accepted.destroy();
  server.close();
  return message;
}
