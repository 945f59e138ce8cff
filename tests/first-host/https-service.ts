import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';

/** The service's name for hosts; their /etc/hosts points it to this machine. */
export const serviceName = 'plimsoll.first-host.test';

/** The whole service as `npm start` runs it, over https with the certificate of a private authority. */
export interface HttpsService {
  /** The file of the authority's certificate. */
  readonly authority: string;
  /** The output of `plimsoll start`. */
  said(): string;
  /** Sends JSON as the administrator; throws for any answer other than 2xx. */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

/** Starts it on an empty data folder below `folder`, and sets it up. Requires the built apps of `projectDir`. */
export async function startHttpsService(projectDir: string, folder: string): Promise<HttpsService> {
  makeCertificate(folder);
  const port = await findFreePort();
  const service = spawn(process.execPath, [path.join(projectDir, 'apps/cli/bin/plimsoll.mjs'), 'start'], {
    cwd: projectDir,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PLIMSOLL_CONFIG: '',
      PLIMSOLL_DATA_DIR: path.join(folder, 'data'),
      PLIMSOLL_API_HOST: '127.0.0.1',
      PLIMSOLL_API_PORT: String(port),
      PLIMSOLL_API_TLS_CERT_FILE: path.join(folder, 'tls.pem'),
      PLIMSOLL_API_TLS_KEY_FILE: path.join(folder, 'tls.key'),
      PLIMSOLL_FEEDS_SYNC_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = await saidUntilReady(service);
  const authority = path.join(folder, 'ca.pem');
  const send = sender(port, readFileSync(authority));
  const setUp = { email: 'admin@example.org', password: 'correct horse battery staple' };
  const { token } = await send<{ token: string }>('POST', '/api/v1/setup/complete', setUp);
  return {
    authority,
    said,
    ask: (method, route, body) => send(method, route, body, token),
    async stop() {
      const ended = once(service, 'exit');
      service.kill('SIGINT');
      await ended;
    },
  };
}

function makeCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'names'), `subjectAltName=DNS:${serviceName}`);
  const script = `
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj "/CN=Private authority"
    openssl req -newkey rsa:2048 -nodes -keyout tls.key -out tls.csr -subj "/CN=${serviceName}"
    openssl x509 -req -in tls.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out tls.pem -days 2 -extfile names`;
  execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'ignore' });
}

async function saidUntilReady(service: ChildProcess): Promise<() => string> {
  let said = '';
  const ended = once(service, 'exit').then(([code]) => {
    throw new Error(`the service ended with ${code}: ${said}`);
  });
  const ready = new Promise<void>((resolve) => {
    for (const stream of [service.stdout, service.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('Ctrl-C')) resolve();
      });
    }
  });
  await Promise.race([ready, ended]);
  ended.catch(() => undefined); // The test stops the service at the end.
  return () => said;
}

function sender(port: number, ca: Buffer) {
  return async <T>(method: string, route: string, body?: object, token?: string): Promise<T> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        host: `${serviceName}:${port}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const target = { host: '127.0.0.1', port, path: route, method, headers };
      const sent = request({ ...target, ca, servername: serviceName, agent: false }, resolve);
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    if ((response.statusCode ?? 0) >= 300)
      throw new Error(`${method} ${route}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as T; // The contract's type for this operation.
  };
}
