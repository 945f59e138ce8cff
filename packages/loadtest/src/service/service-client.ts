import http from 'node:http';
import https from 'node:https';
import { unwantedAnswer } from '../loadtest-error.ts';

/** The answer to a request; status 0 if there was none. */
export interface ServiceAnswer {
  readonly status: number;
  /** Seconds after which the service wants the request again; null if it does not say. */
  readonly retryAfter: number | null;
  /** The path of a list's next page, as in a request; null on the last page. */
  readonly nextPage: string | null;
  /** The parsed JSON; the reason as a text if there was no answer. */
  readonly body: unknown;
}

/** One request below /api/v1. */
export interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is bytes. */
  readonly body?: unknown;
}

/** Sends requests on connections that stay open, with little CPU time per request. */
export interface ServiceClient {
  /** Never rejects: a request without an answer has status 0. */
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  close(): void;
}

const patienceMs = 60_000;

/** A client of the service at `url`, with at most `connections` connections; `ca`: a certificate to trust, PEM. */
export function createServiceClient(url: string, connections: number, ca?: string): ServiceClient {
  const base = new URL(url);
  const isTls = base.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: connections };
  const agent = isTls
    ? new https.Agent(ca === undefined ? options : { ...options, ca })
    : new http.Agent(options);
  const request = isTls ? https.request : http.request;
  const prefix = `${base.pathname.replace(/\/$/, '')}/api/v1`;
  return {
    send: ({ method = 'GET', path, token, headers = {}, body }) =>
      new Promise((resolve) => {
        const bytes = bodyOf(body);
        const sent = request(
          {
            agent,
            method,
            host: base.hostname,
            port: base.port,
            path: `${prefix}${path}`,
            timeout: patienceMs,
            headers: {
              ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
              ...(bytes === null
                ? {}
                : { 'content-type': 'application/json', 'content-length': bytes.length }),
              ...headers,
            },
          },
          (response) => readAnswer(response).then(resolve, (error: unknown) => resolve(noAnswer(error))),
        );
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${patienceMs / 1_000} s`)));
        sent.on('error', (error) => resolve(noAnswer(error)));
        sent.end(bytes ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

function noAnswer(error: unknown): ServiceAnswer {
  return {
    status: 0,
    retryAfter: null,
    nextPage: null,
    body: error instanceof Error ? error.message : String(error),
  };
}

function bodyOf(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

async function readAnswer(response: http.IncomingMessage): Promise<ServiceAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // No encoding is set.
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = response.headers['content-type']?.includes('json') === true && text !== '';
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode ?? 0,
    retryAfter: retryAfter === undefined ? null : Number(retryAfter),
    nextPage: nextPageOf(response.headers['link']),
    body: isJson ? JSON.parse(text) : text,
  };
}

/** The target of a `Link` header with `rel="next"`, without the prefix of the API. */
function nextPageOf(link: string | string[] | undefined): string | null {
  const target = /<([^>]+)>\s*;\s*rel="?next/.exec(String(link ?? ''))?.[1];
  if (target === undefined) return null;
  const { pathname, search } = new URL(target, 'http://service.invalid');
  return `${pathname.slice(pathname.indexOf('/api/v1') + '/api/v1'.length)}${search}`;
}

/** A text of an answer. Throws with `what` and the answer if the status is another one or the text is missing. */
export function textOfAnswer(
  answer: ServiceAnswer,
  { wanted, field, what }: { readonly wanted: number; readonly field: string; readonly what: string },
): string {
  const value = new Map(Object.entries(answer.body ?? {})).get(field);
  if (answer.status !== wanted || typeof value !== 'string') throw unwantedAnswer(what, answer);
  return value;
}
