import { connect, type Socket } from 'node:net';
import { describeWhere, waitFor } from '@plimsoll/testing';
import { type CollectRequest, collect, generateKeyPair } from '../src/index.ts';
import { socketFailure } from '../src/open-socket.ts';
import { type FakeServer, startBlackHole, startFakeServer } from './fake-server.ts';
import { atEase, missingForSshd, ordinary, type Site, setUpSite } from './site.ts';

const pair = generateKeyPair();
const short = { connectMs: 400, totalMs: 30_000, outputBytes: 1_000_000 };
const request = (port: number, changes: Partial<CollectRequest> = {}) => ({
  ...ordinary(port, 'plimsoll', pair),
  limits: short,
  ...changes,
});
const local = (address: string) => ({ address, family: 4 as const });

describe('something other than sshd', () => {
  const servers: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  async function serve(serveOne: (socket: Socket) => void): Promise<FakeServer> {
    const server = await startFakeServer(serveOne);
    servers.push(server);
    return server;
  }
  const failed = (code: string, mayHeal: boolean, message: RegExp) => ({
    kind: 'failed',
    code,
    mayHeal,
    message: expect.stringMatching(message),
    hostKey: null,
    address: null,
  });

  it('nothing: a closed port is connect_refused', async () => {
    const server = await serve(() => undefined);
    await server.stop();
    expect(await collect(request(server.port), atEase())).toEqual(failed('connect_refused', true, /refused/));
  });

  it('silence: a black hole is connect_timeout', async () => {
    const hole = await startBlackHole();
    servers.push(hole);
    expect(await collect(request(hole.port), atEase())).toEqual(
      failed('connect_timeout', true, /Nothing answers/),
    );
  });

  it('a server that never identifies itself as SSH is connect_timeout', async () => {
    const server = await serve(() => undefined);
    expect(await collect(request(server.port), atEase())).toEqual(
      failed('connect_timeout', true, /does not say/),
    );
    await waitFor('the connection to be closed', () => server.open === 0);
  });

  it('a server that stops after its identification is connect_timeout', async () => {
    const server = await serve((socket) => socket.write('SSH-2.0-Sloth\r\n'));
    expect(await collect(request(server.port), atEase())).toEqual(
      failed('connect_timeout', true, /key exchange/),
    );
    await waitFor('the connection to be closed', () => server.open === 0);
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['closes', (socket) => socket.end(), /closed before SSH began/],
    ['resets', (socket) => socket.resetAndDestroy(), /closed before SSH began|ECONNRESET/],
    ['is overloaded', (socket) => socket.end('Exceeded MaxStartups\r\n'), /says "Exceeded MaxStartups"/],
    [
      'speaks HTTP',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /says "HTTP\/1\.1 400 Bad Request"/,
    ],
    ['hides', (socket) => socket.end('\u001b]0;\u0007\u202e a\tb\r\nc'), /says "\]0;.{0,4} a b"/],
    ['talks on and on', (socket) => socket.write('lorem ipsum\n'.repeat(5_000)), /says "lorem ipsum"/],
    ['never ends its line', (socket) => socket.write('x'.repeat(100_000)), /says "x{77}\.\.\."/],
    ['speaks SSH 1', (socket) => socket.end('SSH-1.5-old\r\n'), /key exchange/],
    ['speaks nonsense', (socket) => socket.end(`SSH-2.0-x\r\n${'\u0001'.repeat(70_000)}`), /key exchange/],
    ['goes away', (socket) => socket.end('SSH-2.0-x\r\n'), /key exchange/],
  ])('a server that %s is connect_refused', async (_what, serveOne, message) => {
    const server = await serve(serveOne);
    const limits = { ...short, connectMs: 10_000 };
    expect(await collect(request(server.port, { limits }), atEase())).toEqual(
      failed('connect_refused', true, message),
    );
    await waitFor('the connection to be closed', () => server.open === 0);
  });

  it('an abort midway leaves no connection', async () => {
    const server = await serve((socket) => socket.write('SSH-2.0-Sloth\r\n'));
    const controller = new AbortController();
    const limits = { ...short, connectMs: 20_000 };
    const pull = collect(request(server.port, { limits }), { ...atEase(), signal: controller.signal });
    await waitFor('the connection', () => server.taken === 1);
    controller.abort(new Error('enough'));
    await expect(pull).rejects.toThrow('enough');
    await waitFor('the connection to be closed', () => server.open === 0);
  });
});

describeWhere(missingForSshd, 'a host with several addresses', () => {
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite();
    await site.allow(null);
  });
  afterAll(() => site?.stop());

  it('is reached at the address that answers', async () => {
    const addresses = [local('127.0.0.3'), local('127.0.0.2'), local('127.0.0.1'), local('127.0.0.4')];
    expect(await collect(site.request({ addresses }), atEase())).toMatchObject({
      kind: 'collected',
      address: '127.0.0.1',
    });
  });

  it('that refuses at all addresses has the failure of the first', async () => {
    const addresses = [local('127.0.0.2'), local('127.0.0.3')];
    expect(await collect(site.request({ addresses }), atEase())).toMatchObject({
      code: 'connect_refused',
      message: expect.stringContaining('127.0.0.2'),
    });
  });

  it('is reached although its greeting arrives in pieces', async () => {
    const proxy = await startFakeServer((client) => {
      void relayInPieces(client, site.sshd.port);
    });
    try {
      expect((await collect(site.request({ port: proxy.port }), atEase())).kind).toBe('collected');
    } finally {
      await proxy.stop();
    }
  });
});

describe('an error of the network', () => {
  it.each([
    ['ECONNREFUSED', 'connect_refused', /sshd runs there/],
    ['ECONNRESET', 'connect_refused', /sshd runs there/],
    ['ETIMEDOUT', 'connect_timeout', /Nothing answers/],
    ['EHOSTUNREACH', 'connect_timeout', /h port 22 is unreachable/],
    ['ENETUNREACH', 'connect_timeout', /h port 22 is unreachable/],
    ['EPERM', 'connect_refused', /firewall/],
  ])('%s is %s, and may heal', (name, code, message) => {
    const failure = socketFailure(Object.assign(new Error('x'), { code: name }), 'h port 22');
    expect(failure).toMatchObject({ code, mayHeal: true, message: expect.stringMatching(message) });
  });
});

/** sshd's own identification, one byte at a time after a greeting of several lines; the rest unchanged. */
async function relayInPieces(client: Socket, port: number): Promise<void> {
  const server = connect(port, '127.0.0.1');
  client.setNoDelay(true);
  client.on('close', () => server.destroy()).pipe(server);
  const [first] = await new Promise<[Buffer]>((resolve) =>
    server.once('data', (chunk: Buffer) => resolve([chunk])),
  );
  server.pause();
  for (const byte of Buffer.concat([Buffer.from('welcome\r\nto this host\r\n'), first])) {
    await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.pipe(client);
}
