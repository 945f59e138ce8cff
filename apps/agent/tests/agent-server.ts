import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { readEnvelope } from '@plimsoll/reports';

/** A request to the server. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The server's behaviour for a request: answers with a status and JSON, closes the connection, or sends 40 MB. */
export type Behaviour =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'cut'
  | 'endless';

/** A server for agents, with answers chosen by the test. */
export class AgentServer {
  readonly requests: ReceivedRequest[] = [];
  /** Used one after the other for the requests to the path; the last one is repeated. */
  readonly behaviours = new Map<string, Behaviour[]>([
    ['/api/v1/agent/register', [{ status: 201, body: enrolled }]],
    ['/api/v1/agent/snapshots', [{ status: 202, body: { snapshot_id: 'snapshot-1', status: 'queued' } }]],
    [
      '/api/v1/agent/config',
      [{ status: 200, body: { report_interval_seconds: 7200, newest_agent_version: null } }],
    ],
    ['/api/v1/agent/status', [{ status: 200, body: understood }]],
  ]);
  readonly origin: string;
  private readonly server: Server;
  private readonly sent: number[] = [];

  private constructor(server: Server, scheme: string) {
    this.server = server;
    // A listening TCP server has an address.
    this.origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => socket.on('close', () => this.sent.push(socket.bytesWritten)));
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        this.requests.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
        answer(response, this.next(path));
      });
    });
  }

  /** Starts a server on a free port of this host; with a key and certificate, for https. */
  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<AgentServer> {
    const server: Server = tls === undefined ? createServer() : createTlsServer(tls);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AgentServer(server, tls === undefined ? 'http' : 'https');
  }

  /** Sets the behaviours for the next requests to a path. */
  behave(path: string, ...behaviours: readonly Behaviour[]): void {
    this.behaviours.set(path, [...behaviours]);
  }

  /** The requests to a path. */
  to(path: string): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** The most bytes that were sent on one of the closed connections. */
  mostSent(): number {
    return Math.max(0, ...this.sent);
  }

  /** The texts of the received reports, as Latin-1; throws for a message that is not an agent's. */
  reports(): readonly string[] {
    return this.to('/api/v1/agent/snapshots').map(({ headers, body }) => {
      const envelope = readEnvelope(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
      if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
      return Buffer.from(envelope.report).toString('latin1');
    });
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private next(path: string): Behaviour {
    const behaviours = this.behaviours.get(path) ?? [];
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    return behaviour ?? { status: 404, body: { code: 'not_found' } };
  }
}

/** The server's data about a host whose report it has parsed. */
export const understood = {
  host_id: '01890000-0000-7000-8000-000000000001',
  approval_status: 'approved',
  os_name: 'debian',
  os_version: '12',
  architecture: 'amd64',
  package_count: 412,
  available_updates: 3,
  updates_state: 'known',
  upload_id: '01890000-0000-7000-8000-000000000002',
  upload_state: 'matched',
  upload_error: null,
};

const enrolled = {
  host_id: '01890000-0000-7000-8000-000000000001',
  host_access_token: 'plh_first-Token_0123456789',
  approval_status: 'pending',
  report_interval_seconds: 3600,
};

function answer(response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour === 'cut') {
    response.destroy();
    return;
  }
  if (behaviour === 'endless') {
    const pieces = Array.from({ length: 400 }, () => 'x'.repeat(100_000));
    Readable.from(pieces)
      .on('error', () => undefined)
      .pipe(response);
    return;
  }
  response.writeHead(behaviour.status, { 'Content-Type': 'application/json', ...behaviour.headers });
  response.end(JSON.stringify(behaviour.body ?? {}));
}
