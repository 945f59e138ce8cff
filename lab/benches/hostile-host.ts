import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';

/** Some fit into a host's daily allowance, the others have the largest size. */
const packagesOfFloods = [14_000, 14_000, 50_000, 50_000, 50_000, 50_000];
const lanes = 4;
const slowConnections = 8;
const mebibyte = 1024 * 1024;

/** A host that attacks until it is stopped. */
export interface HostileHost {
  /** From now on it also holds connections, which use the places of its own floods. */
  sendSlowlyToo(): void;
  /** Stops it; returns how often each status was answered. */
  stop(): Promise<ReadonlyMap<number, number>>;
}

/** Attacks with one host's token: floods of new versions, bombs, bodies that are slow to read, slow senders. */
export function attack(serviceUrl: string, token: string, model: Snapshot): HostileHost {
  const bodies = [
    ...packagesOfFloods.map((packages, number) => gzipSync(newVersions(model, packages, number))),
    gzipSync(Buffer.alloc(32 * mebibyte)),
    unknownFields(),
  ];
  const statuses = new Map<number, number>();
  const stopped = new AbortController();
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const send = async (body: Uint8Array): Promise<void> => {
    const response = await fetch(`${serviceUrl}/api/v1/agent/snapshots`, {
      method: 'POST',
      headers: headersOf(token),
      body: new Uint8Array(body),
      signal: stopped.signal,
    });
    await response.arrayBuffer();
    count(response.status);
  };
  const lane = async (first: number): Promise<void> => {
    for (let turn = first; !stopped.signal.aborted; turn++) {
      // A flood may meet closed connections, and the end of the bench aborts its requests.
      await send(bodies[turn % bodies.length] ?? Buffer.alloc(0)).catch(() => undefined);
      // Faster than any agent, but slower than a client on one core could.
      await delay(20);
    }
  };
  const sockets: Socket[] = [];
  const running = Array.from({ length: lanes }, (_, first) => lane(first));
  return {
    sendSlowlyToo() {
      for (let count = 0; count < slowConnections; count++)
        sockets.push(sendSlowly(serviceUrl, token, stopped.signal));
    },
    async stop() {
      stopped.abort();
      await Promise.all(running);
      for (const socket of sockets) socket.destroy();
      return statuses;
    },
  };
}

/** A report with packages that no host has ever had; each number makes another one. */
export function newVersions(model: Snapshot, count: number, number: number): Uint8Array {
  const [first] = model.packages;
  if (first === undefined) throw new Error('the model has no package');
  const packages = Array.from({ length: count }, (_, index) => ({
    ...first,
    name: `noise-${number}-${index}`,
  }));
  return encodeSnapshot({ ...model, packages, upgrades: [] });
}

/** A field of a later version after a snapshot: random bytes make a body that cannot be compressed. */
export function withField(model: Snapshot, bytes: Buffer): Buffer {
  const { length } = bytes;
  const varint = [length & 127, (length >> 7) & 127, (length >> 14) & 127].map((part) => part | 128);
  return Buffer.concat([encodeSnapshot(model), Buffer.from([0xa2, 0x06, ...varint, length >> 21]), bytes]);
}

/** 30 MiB of unknown fields, with enough noise that they do not look like a bomb. */
function unknownFields(): Buffer {
  const fields = Buffer.alloc(30 * mebibyte, Buffer.from([0x98, 0x06, 0x00]));
  const noise = randomBytes(400 * 1024);
  const head = Buffer.from([
    0xa2,
    0x06,
    (noise.length & 127) | 128,
    ((noise.length >> 7) & 127) | 128,
    noise.length >> 14,
  ]);
  return gzipSync(Buffer.concat([fields, head, noise]));
}

/** Sends the start of a body, then a byte every five seconds, repeatedly. */
function sendSlowly(serviceUrl: string, token: string, signal: AbortSignal): Socket {
  const { hostname, port } = new URL(serviceUrl);
  const socket = connect(Number(port), hostname);
  const beginning = gzipSync(randomBytes(64 * 1024)).subarray(0, 32 * 1024);
  const head = Object.entries({ Host: hostname, ...headersOf(token), 'Content-Length': 16 * mebibyte });
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(
    `POST /api/v1/agent/snapshots HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write('x'), 5_000);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return socket;
}

/** The headers of an upload in gzip. */
export function headersOf(token: string): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/x-protobuf',
    'Content-Encoding': 'gzip',
  };
}
