import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { describeWhere, waitFor } from '@plimsoll/testing';
import {
  answerBytes,
  type ConnectionLimits,
  connectionLimits,
} from '../src/connections/connection-limits.ts';
import { guardConnections } from '../src/server/guard-connections.ts';
import type { DropReason } from '../src/server/open-connections.ts';
import { rawClient } from './raw-client.ts';

const quick: ConnectionLimits = { ...connectionLimits, answerMs: 400, sweepMs: 20 };
const faster = Number.MAX_SAFE_INTEGER;
/** More than the buffers between a server and a client on this machine hold. */
const answerPieces = 400;
/** A client that rests this long after this many bytes takes more than twice `wholeMs` for an answer. */
const restMs = 150;
const restBytes = 1024 * 1024;
const wholeMs = 1_500;
const ask = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

const answerMuch: RequestListener = (_request, response) => {
  const pieces = Readable.from(Array.from({ length: answerPieces }, () => Buffer.alloc(answerBytes)));
  // A client that is cut off ends the pipeline with an error; the tests check the connection.
  pipeline(pieces, response).catch(() => undefined);
};

interface Served {
  readonly port: number;
  readonly dropped: readonly DropReason[];
  openConnections(): Promise<number>;
}

/** Runs `work` with a guarded server whose answers are large. */
async function serving(
  server: Server,
  limits: Partial<ConnectionLimits>,
  work: (served: Served) => Promise<void>,
): Promise<void> {
  const dropped: DropReason[] = [];
  const guarded = guardConnections(server, answerMuch, {
    limits: { ...quick, ...limits },
    isProxy: () => false,
    onDropped: (reason) => void dropped.push(reason),
  });
  server.on('request', guarded);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  try {
    await work({ port, dropped, openConnections: promisify(server.getConnections.bind(server)) });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/**
 * Reads an answer in pieces, resting after each, but never too slowly for one piece. Returns the number of bytes read.
 */
async function readSlowly(port: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  let received = 0;
  socket.on('data', (piece) => {
    received += piece.length;
    const isRest = Math.floor(received / restBytes) > Math.floor((received - piece.length) / restBytes);
    if (!isRest) return;
    socket.pause();
    setTimeout(() => socket.resume(), restMs);
  });
  socket.write(ask);
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  return received;
}

describe('a client that reads each piece of an answer in time', () => {
  it('gets all of the answer at a pace that is fast enough', () =>
    serving(createServer(), { answerMs: wholeMs }, async ({ port, dropped }) => {
      expect(await readSlowly(port)).toBeGreaterThan(answerPieces * answerBytes);
      expect(dropped).toEqual([]);
    }));

  it('is closed if the whole answer takes too long for its size', () =>
    serving(createServer(), { answerMs: wholeMs, answerPace: faster }, async ({ port, dropped }) => {
      expect(await readSlowly(port)).toBeLessThan(answerPieces * answerBytes);
      expect(dropped).toEqual(['slow_reader']);
    }));
});

/**
 * Stops reading an answer until the server closes; returns the system's remaining entries of the connection.
 */
async function keptOf(
  socket: Socket,
  { port, dropped, openConnections }: Served,
): Promise<readonly string[]> {
  const client = rawClient(socket);
  socket.write(ask);
  await waitFor('the answer to begin', () => client.received() !== '');
  socket.pause();
  const remotePort = socket.localPort ?? 0;
  expect(systemsConnections(port, remotePort)).toHaveLength(1);
  await waitFor('the server to let go', async () => (await openConnections()) === 0);
  expect(dropped).toEqual(['slow_reader']);
  const kept = systemsConnections(port, remotePort);
  client.close();
  return kept;
}

/** The lines from one port to another in the system's table of TCP connections. */
function systemsConnections(localPort: number, remotePort: number): readonly string[] {
  const [local, remote] = [localPort, remotePort].map((port) =>
    `:${port.toString(16).padStart(4, '0')}`.toUpperCase(),
  );
  const lines = readFileSync('/proc/net/tcp', 'latin1').split('\n');
  return lines.filter((line) => {
    const [, from = '', to = ''] = line.trim().split(/\s+/);
    return from.endsWith(local ?? '') && to.endsWith(remote ?? '');
  });
}

describe('a connection whose client does not read the answer', () => {
  it('is reset, so that the system drops what waits for the client', () =>
    serving(createServer(), {}, async (served) => {
      const socket = connect({ port: served.port, host: '127.0.0.1' });
      expect(await keptOf(socket, served)).toEqual([]);
    }));
});

const missing = spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl'];

describeWhere(missing, 'a TLS connection whose client does not take the answer', () => {
  it('is also reset', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-slow-tls-'));
    const files = ['-nodes', '-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=slow.example'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', ...key, ...files], { cwd: folder, stdio: 'ignore' });
    const [cert, privateKey] = ['cert.pem', 'key.pem'].map((name) => readFileSync(path.join(folder, name)));
    rmSync(folder, { recursive: true });
    await serving(createTlsServer({ cert, key: privateKey }), {}, async (served) => {
      const socket = connectTls({
        port: served.port,
        host: '127.0.0.1',
        ca: cert,
        servername: 'slow.example',
      });
      expect(await keptOf(socket, served)).toEqual([]);
    });
  });
});
