import type { AddressInfo, Socket } from 'node:net';
import { sshKeyFile, waitFor } from '@plimsoll/testing';
import { type Connection, Server } from 'ssh2';
import { type CollectRequest, collect, generateKeyPair } from '../src/index.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';
import { atEase, ordinary } from './site.ts';

const pair = generateKeyPair();
const mebibyte = 1024 * 1024;
/** Bytes that the systems of both sides may buffer of a connection that is not read. */
const buffersBytes = 32 * mebibyte;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const pull = (port: number, limits: Partial<CollectRequest['limits']> = {}) => {
  const request = ordinary(port, 'plimsoll', pair);
  return collect({ ...request, limits: { ...request.limits, ...limits } }, atEase());
};

async function serve(serveOne: (socket: Socket) => void): Promise<FakeServer> {
  const server = await startFakeServer(serveOne);
  stops.push(() => server.stop());
  return server;
}

/** Sends the piece as fast as the other side takes it, until the connection ends. */
function flood(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

describe('a server that sends without an end', () => {
  it.each([
    ['lines before its identification', '', Buffer.from(`${'x'.repeat(80)}\r\n`.repeat(800))],
    ['one line before its identification', '', Buffer.alloc(65_536, 'x')],
    ['zeros after its identification', 'SSH-2.0-x\r\n', Buffer.alloc(65_536)],
    ['packets that are too long', 'SSH-2.0-x\r\n', Buffer.alloc(65_536, 0xff)],
  ])('%s is left at once, and little is taken', async (_what, first, piece) => {
    let sent = 0;
    const server = await serve((socket) => {
      socket.on('close', () => {
        sent = socket.bytesWritten;
      });
      socket.write(first);
      flood(socket, piece);
    });
    expect(await pull(server.port)).toMatchObject({ kind: 'failed', code: 'connect_refused' });
    await waitFor('the connection to be closed', () => server.taken === 1 && server.open === 0 && sent > 0);
    expect(sent).toBeLessThan(buffersBytes);
  });
});

/** A real SSH server on a loopback port, with the behaviour of `serveOne`. */
async function serveSsh(serveOne: (connection: Connection) => void): Promise<{ port: number; open: number }> {
  let open = 0;
  const server = new Server({ hostKeys: [sshKeyFile(generateKeyPair())] }, (connection) => {
    open += 1;
    // Clients that give up reset the connection, as these tests intend.
    connection
      .on('error', () => undefined)
      .on('close', () => {
        open -= 1;
      });
    serveOne(connection);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  stops.push(() => new Promise((resolve) => server.close(() => resolve())));
  return {
    port: (server.address() as AddressInfo).port, // It listens on TCP.
    get open() {
      return open;
    },
  };
}

/** The parts of ssh2's connection that send a packet; the library itself sends one banner only. */
interface PacketSender {
  readonly _protocol: {
    readonly _packetRW: {
      readonly write: {
        readonly allocStart: number;
        alloc(bytes: number): Buffer;
        finalize(packet: Buffer): Buffer;
      };
    };
    readonly _cipher: { encrypt(packet: Buffer): void };
  };
}

/** Sends SSH_MSG_USERAUTH_BANNER: RFC 4252, section 5.4. */
function sendBanner(connection: Connection, text: string): void {
  const { _packetRW, _cipher } = (connection as unknown as PacketSender)._protocol;
  const bytes = Buffer.from(text);
  const { write } = _packetRW;
  const packet = write.alloc(1 + 4 + bytes.length + 4);
  let at = write.allocStart;
  packet[at] = 53;
  at = packet.writeUInt32BE(bytes.length, at + 1);
  at += bytes.copy(packet, at);
  packet.writeUInt32BE(0, at);
  _cipher.encrypt(write.finalize(packet));
}

describe('a server that follows SSH and', () => {
  const short = { totalMs: 1_500 };

  it.each<[string, (connection: Connection) => void]>([
    ['never answers a login', (it) => it.on('authentication', () => undefined)],
    [
      'accepts every login and then never answers',
      (it) => it.on('authentication', (login) => login.accept()).on('session', () => undefined),
    ],
    [
      'never answers a command',
      (it) =>
        it
          .on('authentication', (login) => login.accept())
          .on('session', (accept) => accept().on('exec', () => undefined)),
    ],
    [
      'runs a command that says nothing and does not end',
      (it) =>
        it
          .on('authentication', (login) => login.accept())
          .on('session', (accept) => accept().on('exec', (start) => void start())),
    ],
  ])('%s ends with the time of the pull', async (_what, serveOne) => {
    const server = await serveSsh(serveOne);
    expect(await pull(server.port, short)).toMatchObject({ kind: 'failed', code: 'timeout' });
    await waitFor('the connection to be closed', () => server.open === 0);
  });

  it('greets without an end during the login ends with the time of the pull', async () => {
    let greetings = 0;
    const server = await serveSsh((connection) => {
      connection.on('authentication', () => {
        const greet = (): void => {
          if (server.open === 0) return;
          greetings += 1;
          sendBanner(connection, 'Welcome! '.repeat(3_000));
          setImmediate(greet);
        };
        greet();
      });
    });
    expect(await pull(server.port, short)).toMatchObject({ kind: 'failed', code: 'timeout' });
    await waitFor('the connection to be closed', () => server.open === 0);
    expect(greetings).toBeGreaterThan(1);
  });

  it('refuses one login after the other ends after the logins that are tried', async () => {
    let logins = 0;
    const server = await serveSsh((connection) =>
      connection.on('authentication', (login) => {
        logins += 1;
        login.reject(['publickey', 'password', 'keyboard-interactive'], true);
      }),
    );
    expect(await pull(server.port)).toMatchObject({ kind: 'failed', code: 'auth_failed' });
    await waitFor('the connection to be closed', () => server.open === 0);
    expect(logins).toBeLessThan(10);
  });

  it('sends output without an end through a small bound of memory', async () => {
    let sent = 0;
    const piece = Buffer.alloc(32_768, 'x');
    const server = await serveSsh((connection) =>
      connection
        .on('authentication', (login) => login.accept())
        .on('session', (accept) =>
          accept().on('exec', (start) => {
            const channel = start();
            channel.write('plimsoll-report 1 apt x\n');
            const more = (): void => {
              do sent += piece.length;
              while (channel.writable && channel.write(piece));
            };
            channel.on('drain', more).on('error', () => undefined);
            more();
          }),
        ),
    );
    expect(await pull(server.port, { outputBytes: mebibyte })).toMatchObject({
      kind: 'failed',
      code: 'output_too_large',
    });
    await waitFor('the connection to be closed', () => server.open === 0);
    expect(sent).toBeLessThan(mebibyte + buffersBytes);
  });
});
