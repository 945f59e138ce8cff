import type { Server } from 'node:http';
import {
  errorCodesOf,
  errorStatuses,
  type Method,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  problemContentType,
  problemSchema,
} from '@plimsoll/contract';
import request, { type Response } from 'supertest';

const table: Readonly<Record<OperationId, Operation>> = operations;

/** What to send. */
export interface Call {
  readonly token?: string;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that checks every answer against the contract. */
export interface CheckedClient {
  get(path: string, call?: Call): Promise<Response>;
  post(path: string, call?: Call): Promise<Response>;
  put(path: string, call?: Call): Promise<Response>;
  patch(path: string, call?: Call): Promise<Response>;
  delete(path: string, call?: Call): Promise<Response>;
}

/** Requests of a user, unless they have another token. */
export interface UserClient extends CheckedClient {
  token: string;
}

/** The same client with the token of a user. */
export function userClient(client: CheckedClient, token = ''): UserClient {
  const by = (method: Method) => (path: string, call?: Call) =>
    client[method](path, { token: user.token, ...call });
  const user: UserClient = {
    token,
    get: by('get'),
    post: by('post'),
    put: by('put'),
    patch: by('patch'),
    delete: by('delete'),
  };
  return user;
}

/** A client of a listening server. */
export function createCheckedClient(server: Server): CheckedClient {
  const send = async (method: Method, path: string, call: Call = {}): Promise<Response> => {
    let sending = request(server)[method](path);
    if (call.token !== undefined) sending = sending.set('Authorization', `Bearer ${call.token}`);
    for (const [name, value] of Object.entries(call.headers ?? {})) sending = sending.set(name, value);
    if (call.bytes !== undefined) {
      // supertest would encode bytes according to their content type.
      sending = sending.serialize((body) => body).send(Buffer.from(call.bytes) as unknown as string);
    } else if (call.json !== undefined) {
      sending = sending.set('Content-Type', 'application/json').send(JSON.stringify(call.json));
    }
    const response = await sending;
    checkAnswer(method, path, response);
    return response;
  };
  return {
    get: (path, call) => send('get', path, call),
    post: (path, call) => send('post', path, call),
    put: (path, call) => send('put', path, call),
    patch: (path, call) => send('patch', path, call),
    delete: (path, call) => send('delete', path, call),
  };
}

/** All answers of a list page by page, as their links say; 100 at the most. */
export async function readPages(
  { get }: Pick<CheckedClient, 'get'>,
  path: string,
): Promise<readonly Response[]> {
  const pages: Response[] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < 100; ) {
    const page: Response = await get(next);
    expect(page.status).toBe(200);
    pages.push(page);
    const link = /^<([^>]+)>; rel="next"$/.exec(page.headers['link'] ?? '')?.[1];
    next = link === undefined ? undefined : link.slice(new URL(link).origin.length);
  }
  return pages;
}

/** The total that a list states on every page. */
export function totalsOf(pages: readonly Response[]): readonly string[] {
  return [...new Set(pages.map(({ headers }) => String(headers['x-total-count'])))];
}

/** Throws unless the contract allows the answer for its operation. */
function checkAnswer(method: Method, url: string, response: Response): void {
  expect(response.headers['x-request-id']).toMatch(/^[\w.:/+=@~-]{1,128}$/);
  expect(response.headers['x-powered-by']).toBeUndefined();
  expect(response.headers['access-control-allow-origin']).toBeUndefined();
  const id = operationAt(method, url);
  if (response.status >= 400) checkProblem(response, id);
  else if (id !== null) checkSuccess(response, id);
}

function checkSuccess(response: Response, id: OperationId): void {
  const expected = table[id].responses[response.status];
  if (expected === undefined) throw new Error(`${id} may not answer ${response.status}`);
  const names = ['Plimsoll-Gaps'] as const;
  for (const name of names) {
    const isSent = response.headers[name.toLowerCase()] !== undefined;
    expect([name, isSent]).toEqual([name, expected.headers.includes(name)]);
  }
  const type = String(response.headers['content-type'] ?? '');
  if (expected.json === null && expected.otherTypes.length === 0) {
    expect(response.text).toBe('');
  } else if (type === 'application/json; charset=utf-8' && expected.json !== null) {
    const { error } = expected.json.safeParse(response.body);
    if (error !== undefined) throw new Error(`${id}: ${JSON.stringify(error.issues.slice(0, 5), null, 1)}`);
  } else {
    expect(expected.otherTypes).toContain(type);
  }
}

function checkProblem(response: Response, id: OperationId | null): void {
  expect(response.headers['content-type']).toBe(problemContentType);
  const problem = problemSchema.parse(JSON.parse(response.text));
  expect(problem.status).toBe(response.status);
  expect(errorStatuses[problem.code].status).toBe(response.status);
  expect(problem.request_id).toBe(response.headers['x-request-id']);
  if (id !== null) expect(errorCodesOf(table[id])).toContain(problem.code);
  if (response.status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer realm=/);
  if ([429, 503].includes(response.status))
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(response.text).not.toMatch(/\bat .*\.ts|node_modules|SELECT |INSERT |prisma/i);
}

/** The operations by the length of their paths. A literal path takes precedence over one with a parameter. */
const routes = operationIds
  .map((id) => {
    const { method, path } = table[id];
    return { id, method, path, pattern: patternOf(path) };
  })
  .sort((a, b) => a.path.length - b.path.length);

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`);
}

function operationAt(method: Method, url: string): OperationId | null {
  const path = new URL(url, 'http://any').pathname;
  const ofMethod = routes.filter((route) => route.method === method);
  const route =
    ofMethod.find((each) => each.path === path) ?? ofMethod.find(({ pattern }) => pattern.test(path));
  return route?.id ?? null;
}
