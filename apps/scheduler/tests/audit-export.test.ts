import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import {
  type AuditChainStore,
  createAuditChain,
  createAuditStore,
  hashOfEvent,
  readExportLine,
  systemActor,
} from '@plimsoll/db';
import { createLogger } from '@plimsoll/process';
import {
  createTestDatabase,
  describeWhere,
  folderPerFile,
  type TestDatabase,
  waitFor,
} from '@plimsoll/testing';
import { appendLines } from '../src/audit-export/append-lines.ts';
import { type AuditExportSettings, createAuditExports, sealAudit } from '../src/audit-export/export-audit.ts';
import { framed, syslogMessage } from '../src/audit-export/syslog-message.ts';

const missing = spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl'];
const log = createLogger({ app: 'test', level: 'silent' });
let database: TestDatabase;
let chain: AuditChainStore;
const root = folderPerFile();
let folder: string;
const servers: { close(): unknown }[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  chain = createAuditChain(database.as('scheduler'));
  folder = await mkdtemp(path.join(root, 'audit-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await database.drop();
});

let noted = 0;
async function note(count: number): Promise<void> {
  const audit = createAuditStore(database.db);
  for (let n = 0; n < count; n += 1) {
    noted += 1;
    await audit.note({
      action: 'user.created',
      actor: systemActor(`actor ${noted}\nü`),
      target: null,
      details: {},
    });
  }
  await sealAudit(chain);
}

const exportsTo = (settings: Partial<AuditExportSettings>) =>
  createAuditExports(chain, { file: null, syslog: null, ...settings }, log);
/** The targets that failed. */
async function run(settings: Partial<AuditExportSettings>, now = new Date()): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { target, run: runOne } of exportsTo(settings))
    await runOne(now).catch(() => failed.push(target));
  return failed;
}

/** A syslog server that collects the messages of all connections. */
async function serve(
  server: Server,
  event: 'connection' | 'secureConnection' = 'connection',
): Promise<{ port: number; messages(): readonly string[] }> {
  const chunks: Buffer[] = [];
  server.on(event, (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => chunks.push(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, messages: () => unframed(Buffer.concat(chunks)) };
}

function unframed(bytes: Buffer): readonly string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('ascii', at, space));
    messages.push(bytes.toString('utf8', space + 1, space + 1 + length));
    at = space + 1 + length;
  }
  return messages;
}

const positionsOf = (messages: readonly string[]) => messages.map((text) => readExportLine(text)?.position);

describe('a syslog message', () => {
  it('has the header of RFC 5424 and text in UTF-8', () => {
    const at = new Date('2026-11-23T01:02:03.004Z');
    const message = syslogMessage('{"ü":1}', at, { hostname: 'patch host\n1', processId: 7 });
    expect(message.toString()).toBe(
      '<109>1 2026-11-23T01:02:03.004Z patchhost1 plimsoll 7 audit - \u{feff}{"ü":1}',
    );
    expect(framed(Buffer.from('ü')).toString()).toBe('2 ü');
  });
});

describe('the export to a file', () => {
  it('appends each event once, goes on after a restart and after the file was moved, and only its owner reads it', async () => {
    const file = path.join(folder, 'audit.jsonl');
    await note(3);
    await run({ file });
    await note(2);
    await run({ file });
    await run({ file });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(positionsOf(lines)).toEqual([1, 2, 3, 4, 5]);
    let previous = '0'.repeat(64);
    for (const line of lines) {
      const link = readExportLine(line);
      expect(link?.hash).toBe(hashOfEvent(previous, link?.text ?? ''));
      previous = link?.hash ?? '';
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await rename(file, `${file}.1`);
    await note(1);
    await run({ file });
    expect(positionsOf((await readFile(file, 'utf8')).trimEnd().split('\n'))).toEqual([6]);
  });

  it('ends a line that a crash left incomplete before it goes on', async () => {
    const file = path.join(folder, 'torn');
    await writeFile(file, 'whole\n{"posi');
    await appendLines(file, ['next']);
    expect(await readFile(file, 'utf8')).toBe('whole\n{"posi\nnext\n');
  });

  it('loses nothing while the file cannot be written', async () => {
    const file = path.join(folder, 'missing', 'audit.jsonl');
    await note(2);
    expect(await run({ file })).toEqual(['file']);
    const there = path.join(folder, 'audit.jsonl');
    await run({ file: there });
    expect(positionsOf((await readFile(there, 'utf8')).trimEnd().split('\n'))).toEqual([1, 2]);
  });
});

describe('the export to syslog', () => {
  it('sends each event over TCP, and those of the time when the server was away as soon as it is back', async () => {
    const first = await serve(createServer());
    await note(3);
    await run({ syslog: { url: `tcp://127.0.0.1:${first.port}`, caFile: null } });
    expect(positionsOf(first.messages())).toEqual([1, 2, 3]);
    servers.splice(0)[0]?.close();
    const away = `tcp://127.0.0.1:${first.port}`;
    await note(2);
    expect(await run({ syslog: { url: away, caFile: null } })).toEqual(['syslog']);
    const second = await serve(createServer());
    await run({ syslog: { url: `tcp://127.0.0.1:${second.port}`, caFile: null } });
    expect(positionsOf(second.messages())).toEqual([4, 5]);
    expect(second.messages()[0]).toMatch(/^<109>1 \S+Z \S+ plimsoll \d+ audit - \u{feff}\{"position":4,/u);
  });

  it('sends again what a server has received but not read to its end', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const broken = await serve(server);
    await note(2);
    expect(await run({ syslog: { url: `tcp://127.0.0.1:${broken.port}`, caFile: null } })).toEqual([
      'syslog',
    ]);
    const whole = await serve(createServer());
    await run({ syslog: { url: `tcp://127.0.0.1:${whole.port}`, caFile: null } });
    expect(positionsOf(whole.messages())).toEqual([1, 2]);
  });

  it('waits longer after each failure, up to a minute, and writes to the file all the same', async () => {
    const server = createServer();
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    const { port } = await serve(server);
    const file = path.join(folder, 'audit.jsonl');
    await note(1);
    const exported = exportsTo({ file, syslog: { url: `tcp://127.0.0.1:${port}`, caFile: null } });
    const start = Date.now();
    for (let second = 0; second < 200; second += 2)
      for (const each of exported) await each.run(new Date(start + second * 1000)).catch(() => undefined);
    // After 0, 4, 12, 28, 60, 120 and 180 seconds.
    expect(connections).toBe(7);
    // A clock that was ahead is set back.
    for (const each of exported) await each.run(new Date(start - 86_400_000)).catch(() => undefined);
    expect(connections).toBe(8);
    expect(positionsOf((await readFile(file, 'utf8')).trimEnd().split('\n'))).toEqual([1]);
  });

  it('sends datagrams over UDP', async () => {
    const socket = createSocket('udp4');
    servers.push(socket);
    const messages: string[] = [];
    socket.on('message', (message) => messages.push(message.toString()));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    await note(2);
    await run({ syslog: { url: `udp://127.0.0.1:${socket.address().port}`, caFile: null } });
    await waitFor('both datagrams', () => messages.length === 2);
    expect(positionsOf(messages)).toEqual([1, 2]);
  });
});

describeWhere(missing, 'the export to syslog over TLS', () => {
  it('needs a certificate of a known authority for the name', async () => {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
        ...[
          '-keyout',
          key,
          '-out',
          cert,
          '-subj',
          '/CN=localhost',
          '-addext',
          'subjectAltName=DNS:localhost',
        ],
      ],
      { stdio: 'ignore' },
    );
    const options = { key: await readFile(key), cert: await readFile(cert) };
    const server = await serve(createTlsServer(options), 'secureConnection');
    await note(2);
    expect(await run({ syslog: { url: `tls://localhost:${server.port}`, caFile: null } })).toEqual([
      'syslog',
    ]);
    expect(await run({ syslog: { url: `tls://127.0.0.1:${server.port}`, caFile: cert } })).toEqual([
      'syslog',
    ]);
    expect(server.messages()).toEqual([]);
    await run({ syslog: { url: `tls://localhost:${server.port}`, caFile: cert } });
    expect(positionsOf(server.messages())).toEqual([1, 2]);
  });
});
