import https from 'node:https';

/** The answer to one request. */
export interface YearAnswer {
  readonly status: number;
  readonly body: unknown;
  /** `name=value` of the cookies that it sets. */
  readonly cookies: string;
}

/** A request below /api/v1. */
export interface YearRequest {
  /** The header Authorization: a token of a session, a host or an API key. */
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the service as browsers, scripts and agents do. */
export interface YearClient {
  send(method: string, path: string, request?: YearRequest): Promise<YearAnswer>;
  /** Throws unless the answer has a status below 300. */
  ok(method: string, path: string, request?: YearRequest): Promise<Record<string, unknown>>;
  close(): void;
}

/** A client of the service at `url`. Certificates are not checked: their times are those of another clock. */
export function createYearClient(url: string): YearClient {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
  const send: YearClient['send'] = (method, path, { token, body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const bytes =
        body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
      const sent = https.request(
        `${url}/api/v1${path}`,
        {
          agent,
          method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(bytes === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': bytes.length }),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          response.on('error', reject);
          response.on('end', () => {
            const isJson = response.headers['content-type']?.includes('json') === true && text !== '';
            const cookies = (response.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
            resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text, cookies });
          });
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  return {
    send,
    async ok(method, path, request) {
      const { status, body } = await send(method, path, request);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
      return body as Record<string, unknown>; // The contract's tests check bodies.
    },
    close: () => agent.destroy(),
  };
}
