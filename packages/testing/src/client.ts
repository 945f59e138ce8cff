import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { waitFor } from './wait-for.ts';

/** The answer to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Calls a service as its users and agents do. */
export interface Client {
  /** The signed-in user's Authorization header, for other requests. */
  readonly authorization: string;
  /** As the signed-in user. */
  get(path: string): Promise<Answer>;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** A body of plain text, such as a report, with POST. */
  sendText(path: string, text: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** As a host. */
  upload(token: string, snapshot: Uint8Array): Promise<Answer>;
  /**
   * Imports a file of a format, default `osv`, and answers when the import has ended, however long it waits for another
   * one. `query` has further parameters of the import, from `&` on.
   */
  importFeed(file: Uint8Array, query?: string, format?: string): Promise<Answer>;
  /** Creates an approved host with a registration token. */
  enrol(hostname: string, machineId?: string): Promise<EnrolledHost>;
}

/** A host with its agent's credentials. */
export interface EnrolledHost {
  readonly id: string;
  readonly token: string;
}

/** The credentials of a user. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The first admin of services that tests set up. */
export const testAdmin: Credentials = { email: 'admin@example.org', password: 'correct horse battery' };

/** Sets up a fresh service and signs in as its first admin. */
export function setUpClient(serviceUrl: string, admin: Credentials = testAdmin): Promise<Client> {
  return openClient(serviceUrl, '/setup/complete', admin);
}

/** Signs in to a service as an existing user. */
export function signInClient(serviceUrl: string, user: Credentials): Promise<Client> {
  return openClient(serviceUrl, '/auth/login', user);
}

async function openClient(serviceUrl: string, door: string, credentials: Credentials): Promise<Client> {
  const base = `${serviceUrl}/api/v1`;
  const signedIn = await exchange(`${base}${door}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const authorization = `Bearer ${textOf(signedIn.body, 'token')}`;
  const endOfImport = async (id: string): Promise<Answer> => {
    let answer: Answer | undefined;
    await waitFor(
      `import ${id} to end`,
      async () => {
        answer = await exchange(`${base}/feeds/imports/${id}`, { headers: { authorization } });
        return answer.status !== 200 || ['done', 'failed'].includes(textOf(answer.body, 'status'));
      },
      { timeoutMs: 120_000 },
    );
    if (answer === undefined) throw new Error(`import ${id} was not asked for`);
    return answer;
  };
  const send: Client['send'] = (method, path, body, headers = {}) =>
    exchange(`${base}${path}`, {
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    authorization,
    get: (path) => send('GET', path),
    send,
    sendText: (path, text, headers = {}) =>
      exchange(`${base}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'text/plain', ...headers },
        body: text,
      }),
    upload: (token, snapshot) =>
      exchange(`${base}/agent/snapshots`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
        },
        body: new Uint8Array(gzipSync(snapshot)),
      }),
    async importFeed(file, query = '', format = 'osv') {
      const posted = await exchange(`${base}/feeds/import?format=${format}${query}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/octet-stream', prefer: 'wait=30' },
        body: new Uint8Array(file),
      });
      return posted.status === 202 ? endOfImport(textOf(posted.body, 'import_id')) : posted;
    },
    async enrol(hostname, machineId = randomBytes(16).toString('hex')) {
      const issued = await send('POST', '/registration-tokens', { name: hostname, auto_approve: true });
      const enrolled = await send('POST', '/agent/register', {
        registration_token: textOf(issued.body, 'token'),
        hostname,
        machine_id: machineId,
      });
      return { id: textOf(enrolled.body, 'host_id'), token: textOf(enrolled.body, 'host_access_token') };
    },
  };
}

async function exchange(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

/** A text of an answer's body; throws with the body if it has no such text. */
export function textOf(body: unknown, name: string): string {
  const value = Object.entries(body ?? {}).find(([key]) => key === name)?.[1];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`);
  return value;
}
