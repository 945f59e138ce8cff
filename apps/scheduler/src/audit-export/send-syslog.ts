import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { framed } from './syslog-message.ts';

/** A syslog server. */
export interface SyslogServer {
  /** `udp://host:port`, `tcp://host:port` or `tls://host:port`. */
  readonly url: string;
  /** PEM certificates of the authorities that may sign the server's; null: those of Node.js. */
  readonly caFile: string | null;
  /** Milliseconds for all messages together. */
  readonly limitMs: number;
}

const defaultPorts = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 } as const;

/**
 * Sends messages, in order. Over TCP and TLS it resolves once the server has closed its side after reading everything,
 * so that nothing is lost in buffers; over UDP nothing shows whether a message arrives. Rejects if it takes too long.
 */
export async function sendSyslog(messages: readonly Buffer[], server: SyslogServer): Promise<void> {
  const url = new URL(server.url);
  const protocol = url.protocol as keyof typeof defaultPorts; // The setting accepts no other.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? defaultPorts[protocol] : Number(url.port);
  if (protocol === 'udp:') return sendDatagrams(messages, { host, port });
  const ca = server.caFile === null ? undefined : await readFile(server.caFile, 'utf8');
  const socket =
    protocol === 'tcp:'
      ? connectTcp({ host, port })
      : connectTls({ host, port, ca, minVersion: 'TLSv1.2', servername: isIP(host) === 0 ? host : '' });
  await sendStream(messages, socket, server.limitMs);
}

async function sendDatagrams(
  messages: readonly Buffer[],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.send(message, port, host, (error) => {
          socket.off('error', reject);
          if (error === null) resolve();
          else reject(error);
        });
      });
    }
  } finally {
    socket.close();
  }
}

/**
 * Milliseconds to wait before our end of a connection is closed. A proxy without a server behind it closes at once; its
 * end, if it came after ours, would look like that of a server that has read everything.
 */
const settleMs = 200;

async function sendStream(messages: readonly Buffer[], socket: Socket, limitMs: number): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  const late = () => socket.destroy(new Error(`the syslog server took longer than ${limitMs} ms`));
  limit.addEventListener('abort', late, { once: true });
  try {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    // What the server says is of no interest, but has to be read to see the end.
    socket.resume();
    await Promise.race([closed, written(socket, Buffer.concat(messages.map(framed)))]);
    await Promise.race([closed, delay(settleMs)]);
    if (socket.readableEnded) throw new Error('the syslog server closed the connection too early');
    socket.end();
    await closed;
    if (socket.errored !== null) throw socket.errored;
  } finally {
    limit.removeEventListener('abort', late);
    socket.destroy();
  }
}

const written = (socket: Socket, bytes: Buffer) =>
  new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
