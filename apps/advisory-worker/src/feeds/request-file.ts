import { basicAuthorization } from '@plimsoll/outbound';
import { ImportError } from '@plimsoll/pipeline';
import { type Dispatcher, request } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import type { FeedConnections } from './feed-connection.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { codesOf, FetchError } from './fetch-error.ts';
import { statusFailure } from './status-failure.ts';

const maxRedirects = 5;
const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 60_000;
/** A server may close an idle connection just when a request is sent on it. */
const closedCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/** Headers of a request. */
export type Headers = Readonly<Record<string, string>>;

/** A response, with its address and proxy. */
export interface Followed {
  readonly response: Dispatcher.ResponseData;
  readonly url: URL;
  readonly proxy: string | null;
}

/** The response after all redirects: 200, 206, 304 or 416. Throws FetchError, or the signal's reason. */
export async function requestFile(
  source: FeedSource,
  connections: FeedConnections,
  headers: Headers,
): Promise<Followed> {
  let { url } = source;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { response, proxy } = await ask(url, source, { connections, headers });
    if ([200, 206, 304].includes(response.statusCode)) return { response, url, proxy };
    await response.body.dump();
    if (response.statusCode === 416 && 'range' in headers) return { response, url, proxy };
    const location = headerOf(response, 'location');
    const status = response.statusCode;
    if (status < 300 || status > 399 || location === null)
      throw statusFailure({ url, status, retryAfter: headerOf(response, 'retry-after') }, new Date());
    url = redirectTarget(location, url, source.url);
  }
  throw new FetchError(source.url, `it redirects more than ${maxRedirects} times`, {
    failure: 'redirect_refused',
  });
}

/** The file version that a response states. */
export function versionOf(response: Dispatcher.ResponseData): FeedVersion {
  return { etag: headerOf(response, 'etag'), lastModified: headerOf(response, 'last-modified') };
}

/** The value of a header that occurs exactly once; otherwise null. */
export function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return typeof value === 'string' ? value : null;
}

interface Asking {
  readonly connections: FeedConnections;
  readonly headers: Headers;
}

/** Sends a request, and repeats it once if the connection was closed before a response. */
async function ask(
  url: URL,
  source: FeedSource,
  asking: Asking,
): Promise<Pick<Followed, 'response' | 'proxy'>> {
  try {
    return await askOnce(url, source, asking);
  } catch (error) {
    const isClosed = codesOf(error).some((code) => closedCodes.includes(code));
    if (!isClosed || source.signal.aborted) throw error;
    return askOnce(url, source, asking);
  }
}

async function askOnce(
  url: URL,
  { url: source, signal }: FeedSource,
  { connections, headers }: Asking,
): Promise<Pick<Followed, 'response' | 'proxy'>> {
  let proxy: string | null = null;
  try {
    const route = connections.routeTo(url);
    proxy = route.proxy;
    const response = await request(url, {
      dispatcher: route.dispatcher,
      signal,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      headers: { 'user-agent': 'plimsoll', ...credentialsFor(url, source), ...headers },
    });
    return { response, proxy };
  } catch (error) {
    if (error instanceof ImportError || signal.aborted) throw error;
    throw connectionFailure(error, { url, proxy });
  }
}

/** User name and password of the operator's address: only for its origin, never where it redirects to. */
function credentialsFor(url: URL, source: URL): Headers {
  const authorization = url.origin === source.origin ? basicAuthorization(source) : null;
  return authorization === null ? {} : { authorization };
}

/** The target of a redirect: https, or the protocol that the operator chose. */
function redirectTarget(location: string, from: URL, origin: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (url !== null && (url.protocol === 'https:' || url.protocol === origin.protocol)) return url;
  const reason =
    url === null
      ? 'it redirects to an invalid URL'
      : `it redirects to ${url.protocol}, which is not followed`;
  throw new FetchError(origin, reason, { failure: 'redirect_refused' });
}
