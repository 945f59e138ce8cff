import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { createMetrics } from '@plimsoll/process';
import { describeWhere, waitFor } from '@plimsoll/testing';
import { type ConnectionLimits, connectionLimits } from '../src/connections/connection-limits.ts';
import { createApp } from '../src/create-app.ts';
import { createHttpsServer } from '../src/server/http-server.ts';
import type { DropReason } from '../src/server/open-connections.ts';
import { type ApiUnderTest, adminEmail, adminPassword, startApi } from './api-under-test.ts';
import { connectRaw, type RawClient, rawClient } from './raw-client.ts';

interface Served {
  readonly dropped: DropReason[];
  /** Connects without TLS from one of this machine's addresses and sends bytes. */
  begin(bytes?: Buffer, from?: string): Promise<RawClient>;
  /** Connects with TLS. */
  finish(): RawClient;
  openConnections(): Promise<number>;
}

/** The first message of a real client. */
async function firstMessage(): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = rawClient(connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }));
  const [accepted] = (await once(server, 'connection')) as [Socket]; // net's own event
  const [message] = (await once(accepted, 'data')) as [Buffer]; // no encoding is set
  client.close();
  accepted.destroy();
  server.close();
  return message;
}

/** The same connection, sending a few bytes at a time. */
function inPieces(socket: Duplex): Duplex {
  const pieces = new Duplex({
    read: () => void socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      const half = Math.ceil(bytes.length / 2);
      socket.write(bytes.subarray(0, 3), () =>
        socket.write(bytes.subarray(3, half), () => socket.write(bytes.subarray(half), done)),
      );
    },
  });
  socket.on('data', (bytes) => pieces.push(bytes));
  socket.on('end', () => pieces.push(null));
  return pieces;
}

const missing = spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl'];

describeWhere(missing, 'the API with a certificate of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-api-tls-'));
  const files = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') };
  let api: ApiUnderTest;

  /** Makes a pair for `name` and installs it in place of the current one. */
  function install(name: string): void {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const output = ['-nodes', '-keyout', 'next.key', '-out', 'next.pem', '-days', '3'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', ...key, ...output, ...subject], {
      cwd: folder,
      stdio: 'ignore',
    });
    renameSync(path.join(folder, 'next.key'), files.keyFile);
    renameSync(path.join(folder, 'next.pem'), files.certFile);
  }

  beforeAll(async () => {
    install('first.example');
    api = await startApi({}, undefined, {}, files);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true });
  });

  const logged = (): string => JSON.stringify(api.log.lines);
  const port = (): number => (api.server.address() as AddressInfo).port; // It listens on TCP.

  interface Told {
    readonly status: number | undefined;
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
    readonly body: any;
  }

  /** One request with the certificate's name and the authority in the file. */
  async function ask(path: string, name: string, json?: object, token?: string): Promise<Told> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: port(),
          path,
          method: json === undefined ? 'GET' : 'POST',
          ca: readFileSync(files.certFile),
          servername: name,
          agent: false,
          headers: {
            host: `${name}:${port()}`,
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
        },
        resolve,
      );
      sent.once('error', reject);
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  }

  async function servedName(): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: port(), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subjectaltname);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  it('answers over TLS, and uses its own https address in install commands', async () => {
    expect((await ask('/readyz', 'first.example')).status).toBe(200);
    const setUp = await ask('/api/v1/setup/complete', 'first.example', {
      email: adminEmail,
      password: adminPassword,
    });
    expect(setUp.status).toBe(201);
    const issued = await ask(
      '/api/v1/registration-tokens',
      'first.example',
      { name: 'x' },
      setUp.body['token'],
    );
    expect(issued.body['install_command']).toContain(`'https://first.example:${port()}'`);
    expect(issued.body['warnings']).toEqual([
      { code: 'private_authority', detail: expect.stringContaining('export PLIMSOLL_CA_FILE=') },
    ]);
  });

  it('accepts neither plain http nor TLS 1.1', async () => {
    await expect(fetch(`http://127.0.0.1:${port()}/healthz`)).rejects.toThrow();
    const socket = connect({
      host: '127.0.0.1',
      port: port(),
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
    });
    const ended = new Promise<string>((resolve) => {
      socket.once('secureConnect', () => resolve('connected'));
      socket.once('error', () => resolve('refused'));
    });
    expect(await ended).toBe('refused');
    socket.destroy();
    expect((await ask('/healthz', 'first.example')).status).toBe(200);
  });

  /** Runs `work` with a new server on the certificate, and closes everything. */
  async function serving(
    limits: Partial<ConnectionLimits>,
    work: (served: Served) => Promise<void>,
  ): Promise<void> {
    const { certificate } = api.context;
    if (certificate === null) throw new Error('the API has no certificate');
    const dropped: DropReason[] = [];
    const kept = { ...certificate, onReplaced: () => undefined };
    const server = createHttpsServer(createApp({ ...api.context, metrics: createMetrics() }), kept, {
      limits: { ...connectionLimits, sweepMs: 20, ...limits },
      onDropped: (reason) => void dropped.push(reason),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: served } = server.address() as AddressInfo; // It listens on TCP.
    const clients: RawClient[] = [];
    const keep = (client: RawClient): RawClient => {
      clients.push(client);
      return client;
    };
    try {
      await work({
        dropped,
        begin: async (bytes, from) =>
          keep(await connectRaw(`http://127.0.0.1:${served}`, bytes ?? Buffer.alloc(0), from)),
        finish: () =>
          keep(rawClient(connect({ host: '127.0.0.1', port: served, rejectUnauthorized: false }))),
        openConnections: promisify(server.getConnections.bind(server)),
      });
    } finally {
      for (const client of clients) client.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  it('closes a connection whose handshake does not begin, or begins and does not end', async () => {
    const hello = await firstMessage();
    await serving({ handshakeMs: 100 }, async ({ begin, dropped, openConnections }) => {
      await begin();
      await begin(hello.subarray(0, 3));
      await begin(hello.subarray(0, -1));
      await begin(hello);
      await waitFor(
        'the server to let go',
        async () => dropped.length === 4 && (await openConnections()) === 0,
      );
      expect(dropped).toEqual(['late', 'late', 'late', 'late']);
    });
  });

  it('lets go of clients that leave before their handshake', () =>
    serving({}, async ({ begin, openConnections }) => {
      const clients = await Promise.all([begin(), begin(), begin()]);
      await waitFor('all of them', async () => (await openConnections()) === 3);
      for (const { socket } of clients) socket.end();
      await waitFor('the server to let go', async () => (await openConnections()) === 0);
    }));

  it('completes a handshake whose first message comes in pieces', () =>
    serving({}, async ({ finish, begin }) => {
      const relay = await begin();
      const client = rawClient(connect({ socket: inPieces(relay.socket), rejectUnauthorized: false }));
      client.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await waitFor('the answer', () => client.received().startsWith('HTTP/1.1 200 '));
      finish().close();
    }));

  it('bounds handshakes that do not end: the address with the most loses its oldest', async () => {
    const hello = await firstMessage();
    await serving({ handshakes: 3 }, async ({ begin, finish, dropped }) => {
      const other = await begin(hello, '127.0.0.2');
      await waitFor('its answer', () => other.received() !== '');
      const silent: RawClient[] = [];
      for (const _turn of [1, 2, 3, 4]) {
        const client = await begin(hello);
        await waitFor('its answer', () => client.received() !== '');
        silent.push(client);
      }
      await waitFor(
        'the oldest to go',
        () => silent[0]?.isClosed() === true && silent[1]?.isClosed() === true,
      );
      const client = finish();
      client.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await waitFor('the answer', () => client.received().startsWith('HTTP/1.1 200 '));
      expect([other, ...silent].map((one) => one.isClosed())).toEqual([false, true, true, true, false]);
      expect(dropped).toEqual(['full', 'full', 'full']);
    });
  });

  it('closes slow clients after the handshake, and excess connections of one address', () =>
    serving(
      { requestMs: 1_000, handshakeMs: 1_000, graceMs: 50, lingerMs: 50, incompletePerAddress: 4 },
      async ({ begin, finish, dropped, openConnections }) => {
        await Promise.all([begin(), begin(), begin()]);
        const dribbling = [1, 2, 3].map(() => {
          const client = finish();
          client.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
          client.drip('a');
          return client;
        });
        await waitFor(
          'the server to let go',
          async () => dropped.length > 0 && (await openConnections()) === 0,
        );
        expect(dropped.filter((reason) => reason === 'address')).toHaveLength(2);
        expect(dribbling.some((client) => client.received().includes('The request took too long.'))).toBe(
          true,
        );
      },
    ));

  it('keeps the old certificate while new files are unusable, says so, and uses the next good ones', async () => {
    const login = await ask('/api/v1/auth/login', 'first.example', {
      email: adminEmail,
      password: adminPassword,
    });
    const old = readFileSync(files.certFile);
    writeFileSync(files.certFile, 'cut off');
    await waitFor('the refusal', () => api.context.certificate?.failure() !== null);
    expect(await servedName()).toBe('DNS:first.example');
    expect(logged()).toContain('certificate not replaced');
    writeFileSync(files.certFile, old);

    install('second.example');
    await waitFor('the new certificate', async () => (await servedName()) === 'DNS:second.example');
    const system = await ask('/api/v1/system', 'second.example', undefined, login.body['token']);
    expect(system.body['certificate']).toMatchObject({ names: ['second.example'], reload_error: null });
    const notAfter = Date.parse(system.body['certificate']['not_after']) / 1000;
    const metrics = await api.context.metrics.render();
    expect(metrics.text).toContain(`plimsoll_tls_certificate_not_after_seconds ${notAfter}`);
    expect(logged()).toContain('the certificate expires soon');
  });

  it('reads the files at once on SIGHUP', async () => {
    install('third.example');
    process.emit('SIGHUP', 'SIGHUP');
    await waitFor('the new certificate', async () => (await servedName()) === 'DNS:third.example');
    expect(logged()).not.toContain('PRIVATE KEY');
  });
});
