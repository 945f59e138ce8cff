import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { listening } from '@plimsoll/testing';

/** Runs with a TLS server on loopback with a self-signed certificate, either expired in 2020 or valid. */
export async function withTlsServer(
  certificate: 'expired' | 'untrusted',
  work: (url: string) => Promise<void>,
): Promise<void> {
  const pem = readFileSync(path.resolve(__dirname, `../testdata/tls/${certificate}.pem`));
  const server = createHttpsServer({ cert: pem, key: pem }, (_request, response) => response.end());
  await listening(server, (port) => work(`https://127.0.0.1:${port}/mirror`));
}

/** Runs with a server that passes each connection to `onSocket`. */
export async function withTcpServer(
  onSocket: (socket: Socket) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  await listening(createServer(onSocket), (port) => work(`http://127.0.0.1:${port}/mirror`));
}

/** A loopback port without a listener. */
export async function closedPort(): Promise<number> {
  let closed = 0;
  await listening(createServer(), (port) => {
    closed = port;
    return Promise.resolve();
  });
  return closed;
}
