import type { Operations } from '@plimsoll/contract';
import type { z } from 'zod';
import { ApiProblem, readProblem, ServerUnreachable } from './problem.ts';
import { reauthentication, tellFactorNeeded } from './reauthentication.ts';
import { session } from './session.ts';

/** The operations of the contract. Types only: the bundle contains nothing of them. */
type AnyOperation = Operations[keyof Operations];
type Method = AnyOperation['method'];
type WithMethod<M extends Method> = Extract<AnyOperation, { readonly method: M }>;

/** Paths below /api/v1 that have an operation with this method. */
export type PathOf<M extends Method> = WithMethod<M>['path'] extends infer Path
  ? Path extends `/api/v1${infer Rest}`
    ? Rest
    : never
  : never;

type OperationAt<M extends Method, P extends string> = Extract<
  WithMethod<M>,
  { readonly path: `/api/v1${P}` }
>;

type JsonOf<Response> = Response extends { readonly json: infer Schema }
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : undefined
  : never;
type ResponsesOf<O> = O extends { readonly responses: infer Responses } ? Responses : never;

/** The union of the bodies of an operation's successful responses. */
export type Answer<M extends Method, P extends PathOf<M>> = {
  [Status in keyof ResponsesOf<OperationAt<M, P>>]: JsonOf<ResponsesOf<OperationAt<M, P>>[Status]>;
}[keyof ResponsesOf<OperationAt<M, P>>];

type ParamsOf<O> = O extends { readonly params: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;
type QueryOf<O> = O extends { readonly query: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
type BodyOf<O> = O extends {
  readonly body: { readonly kind: 'json'; readonly schema: infer Schema extends z.ZodType };
}
  ? z.input<Schema>
  : O extends { readonly body: { readonly kind: 'bytes' } }
    ? Blob | string
    : undefined;

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : { readonly [K in Name]: Value };
type OptionalPart<Name extends string, Value> = { readonly [K in Name]?: Value | undefined };

/** The parts of a request to an operation. */
export type RequestOf<M extends Method, P extends PathOf<M>> = Part<'params', ParamsOf<OperationAt<M, P>>> &
  OptionalPart<'query', QueryOf<OperationAt<M, P>>> &
  Part<'body', BodyOf<OperationAt<M, P>>> & {
    readonly signal?: AbortSignal | undefined;
    /** Seconds to wait for the work that the request queues (`Prefer: wait`). */
    readonly wait?: number | undefined;
  };

/** Makes the request optional if each of its parts is optional. */
export type RequestArgs<M extends Method, P extends PathOf<M>> =
  Record<never, never> extends RequestOf<M, P> ? [request?: RequestOf<M, P>] : [request: RequestOf<M, P>];

/** One page of a list, with the values of the response headers. */
export interface Page<Rows> {
  readonly rows: Rows;
  /** Number of rows of the whole list. */
  readonly total: number;
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
  /** The `plimsoll-` headers of the response by lower-case name; they describe the whole list. */
  readonly headers: Readonly<Record<string, string>>;
}

interface LooseRequest {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly wait?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The URL of a request: path and query. Empty query values are left out. */
export function addressOf(path: string, { params = {}, query = {} }: LooseRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_brace, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `/api/v1${filled}${search.size === 0 ? '' : `?${search}`}`;
}

function headersOf({ body, wait, headers: own = {} }: LooseRequest): Headers {
  const headers = new Headers({ Accept: 'application/json', ...own });
  const token = session.token();
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (body instanceof Blob) headers.set('Content-Type', body.type);
  else if (typeof body === 'string') headers.set('Content-Type', 'text/plain');
  else if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (wait !== undefined) headers.set('Prefer', `wait=${wait}`);
  return headers;
}

/**
 * Sends a request with the session's token. Rejects with an ApiProblem if the server refuses it, with ServerUnreachable
 * if no response arrives. If the server refuses the token, it is replaced and the request sent once more; the session
 * ends if that is not possible.
 */
export async function send(method: string, path: string, request: LooseRequest = {}): Promise<Response> {
  await session.keepFresh();
  const sentWith = session.token();
  const first = await exchange(method, path, request);
  if (first.ok) return first;
  const refusal = await readProblem(first);
  if (refusal.code === 'second_factor_required') tellFactorNeeded();
  if (refusal.code !== 'unauthenticated' || sentWith === null) throw refusal;
  if (!(await session.replace(sentWith))) throw refusal;
  const second = await exchange(method, path, request);
  if (second.ok) return second;
  throw await readProblem(second);
}

/** The status with which a GET would be answered, without reading its answer. */
export async function head(path: string, request: LooseRequest = {}): Promise<Response['status']> {
  await session.keepFresh();
  const headers = { Accept: '*/*', ...request.headers };
  return (await exchange('head', path, { ...request, headers })).status;
}

async function exchange(method: string, path: string, request: LooseRequest): Promise<Response> {
  const { body, signal } = request;
  try {
    return await fetch(addressOf(path, request), {
      method: method.toUpperCase(),
      headers: headersOf(request),
      body:
        body === undefined || body instanceof Blob || typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    } as RequestInit); // exactOptionalPropertyTypes: fetch accepts an undefined body
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ServerUnreachable({ cause: error });
  }
}

async function answerOf(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : await response.json();
}

async function call(method: string, path: string, request?: LooseRequest): Promise<unknown> {
  return answerOf(await sendProved(method, path, request));
}

/** As send; if the server asks for a proof of the user, lets the user give it and sends the request once more. */
async function sendProved(method: string, path: string, request?: LooseRequest): Promise<Response> {
  try {
    return await send(method, path, request);
  } catch (error) {
    const code = error instanceof ApiProblem ? error.code : null;
    if (code !== 'reauthentication_required' || !(await reauthentication.ask())) throw error;
    return send(method, path, request);
  }
}

/** The API, typed by the contract: `api.get('/hosts/{id}', { params: { id } })`. */
export const api = {
  get: <P extends PathOf<'get'>>(path: P, ...[request]: RequestArgs<'get', P>) =>
    call('get', path, request as LooseRequest) as Promise<Answer<'get', P>>, // types of the contract
  post: <P extends PathOf<'post'>>(path: P, ...[request]: RequestArgs<'post', P>) =>
    call('post', path, request as LooseRequest) as Promise<Answer<'post', P>>, // types of the contract
  put: <P extends PathOf<'put'>>(path: P, ...[request]: RequestArgs<'put', P>) =>
    call('put', path, request as LooseRequest) as Promise<Answer<'put', P>>, // types of the contract
  patch: <P extends PathOf<'patch'>>(path: P, ...[request]: RequestArgs<'patch', P>) =>
    call('patch', path, request as LooseRequest) as Promise<Answer<'patch', P>>, // types of the contract
  delete: <P extends PathOf<'delete'>>(path: P, ...[request]: RequestArgs<'delete', P>) =>
    call('delete', path, request as LooseRequest) as Promise<Answer<'delete', P>>, // types of the contract

  /** One page of a list, with the total and the cursor of the next page. */
  async page<P extends PathOf<'get'>>(
    path: P,
    ...[request]: RequestArgs<'get', P>
  ): Promise<Page<Answer<'get', P>>> {
    const response = await send('get', path, request as LooseRequest);
    const rows = (await answerOf(response)) as Answer<'get', P>; // types of the contract
    const total = Number(
      response.headers.get('X-Total-Count') ?? (Array.isArray(rows) ? (rows as unknown[]).length : 0),
    );
    const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    const cursor = next === undefined ? null : new URL(next, location.href).searchParams.get('cursor');
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => name.startsWith('plimsoll-')),
    );
    return { rows, total, cursor, headers };
  },
};
