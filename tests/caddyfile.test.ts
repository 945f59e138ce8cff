import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  get as getPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { describeWhere, waitFor } from '@plimsoll/testing';

const caddy = (process.env['PATH'] ?? '')
  .split(':')
  .map((folder) => path.join(folder, 'caddy'))
  .find(existsSync);

describeWhere(caddy === undefined ? ['caddy'] : [], 'the Caddyfile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-caddy-'));
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  let upstream: Server;
  let proxy: ChildProcess;
  let seen: IncomingHttpHeaders = {};
  const ports = { http: 0, https: 0, health: 0 };

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      seen = request.headers;
      response.end('from the api');
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    for (const name of ['http', 'https', 'health'] as const) ports[name] = await findFreePort();
    // The container's ports, replaced because they may be taken on this machine.
    const text = readFileSync(path.resolve(__dirname, '../Caddyfile'), 'utf8')
      .replace('http_port 8080', `http_port ${ports.http}`)
      .replace('https_port 8443', `https_port ${ports.https}`)
      .replace('127.0.0.1:2019', `127.0.0.1:${ports.health}`);
    writeFileSync(path.join(folder, 'Caddyfile'), text);
    proxy = spawn(
      caddy ?? '',
      ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')],
      {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
          PLIMSOLL_DOMAIN: 'plimsoll.example',
          PLIMSOLL_UPSTREAM: `127.0.0.1:${(upstream.address() as AddressInfo).port}`, // It listens on TCP.
        },
        stdio: 'ignore',
      },
    );
    await waitFor('Caddy and its certificate', async () => {
      const isUp = await fetch(`http://127.0.0.1:${ports.health}/`).then(
        ({ status }) => status === 200,
        () => false,
      );
      return (
        isUp &&
        existsSync(authority) &&
        (await ask('/').then(
          () => true,
          () => false,
        ))
      );
    });
  });
  afterAll(async () => {
    const ended = once(proxy, 'exit');
    proxy.kill('SIGTERM');
    await ended;
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  interface Told {
    readonly status: number | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }

  async function read(response: IncomingMessage): Promise<Told> {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** Sends a request by the domain, trusting only the authority that Caddy made. */
  async function ask(path: string, headers: Record<string, string> = {}): Promise<Told> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: ports.https,
        path,
        servername: 'plimsoll.example',
        ca: readFileSync(authority),
        agent: false,
        headers: { host: 'plimsoll.example', ...headers },
      };
      get(options, resolve).once('error', reject);
    });
    return read(response);
  }

  it("ends TLS with a certificate of its own authority, and passes the client's address and protocol to the API", async () => {
    const told = await ask('/api/v1/agent/script', {
      'X-Forwarded-For': '192.0.2.66',
      'X-Forwarded-Proto': 'http',
    });
    expect(told).toMatchObject({ status: 200, text: 'from the api' });
    expect(seen).toMatchObject({
      host: 'plimsoll.example',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });
  });

  it('does not serve metrics', async () => {
    seen = {};
    expect((await ask('/metrics')).status).toBe(404);
    expect(seen).toEqual({});
  });

  it('sends plain http to https, without the port of the container', async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: 'plimsoll.example' };
      getPlain({ host: '127.0.0.1', port: ports.http, path: '/hosts', headers, agent: false }, resolve).once(
        'error',
        reject,
      );
    });
    expect((await read(response)).headers.location).toBe('https://plimsoll.example/hosts');
  });
});
