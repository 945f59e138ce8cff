import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A door to a PostgreSQL server that closes for good after a number of answers. */
export interface CutDoor {
  /** The URL of the database through the door. */
  readonly url: string;
  isCut(): boolean;
  /** The answers that passed. */
  answers(): number;
  /** Cuts all connections, and those to come. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Passes on what clients and the server of `url` send each other, until the server has answered `most` requests of all
 * clients together: then it cuts all connections, and clients never see the last of these answers. So a client can be
 * stopped between any two statements, as by a kill.
 */
export async function openCutDoor(url: string, most: number): Promise<CutDoor> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let answers = 0;
  let isCut = false;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const door = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server);
    const count = answerCounter();
    server.on('data', (bytes) => {
      answers += count(bytes);
      if (isCut || answers >= most) cut();
      else client.write(bytes);
    });
    if (isCut) cut();
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((door.address() as AddressInfo).port); // A server on a port has such an address.
  return {
    url: through.href,
    isCut: () => isCut,
    answers: () => answers,
    cut,
    async close() {
      for (const socket of sockets) socket.destroy();
      door.close();
      await once(door, 'close');
    },
  };
}

/** Counts the messages ReadyForQuery, which end the answer to each request, in what a server sends. */
function answerCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let found = 0;
    // A type of one byte, then a length that includes itself.
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      if (rest[0] === 'Z'.charCodeAt(0)) found += 1;
      rest = rest.subarray(1 + rest.readUInt32BE(1));
    }
    return found;
  };
}
