import { randomUUID } from 'node:crypto';
import type { Logger } from '@plimsoll/process';
import type { Request, Response } from 'express';
import { sentHeaders } from './request-fields.ts';

/** One request and its answer. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** Adds the request's id to every line. */
  readonly log: Logger;
  /** When the request arrived, by performance.now(). */
  readonly startedMs: number;
  /** The path template that matched; null until one did. */
  route: string | null;
  /** Whether the complete answer was passed to the connection; a client that still sends may keep it open. */
  answered: boolean;
  /** Aborted when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal;
  /** Logs that the service was too busy for a request of a route, at most once a minute for all exchanges. */
  warnOfRefusal(route: string): void;
}

const exchanges = new WeakMap<Response, Exchange>();

/** Receives what exchanges report. */
interface ExchangeObserver extends Pick<Exchange, 'warnOfRefusal'> {
  readonly logger: Logger;
  /** Called when an exchange ends. */
  countRequest(request: AnsweredRequest): void;
}

/** One answered request. */
export interface AnsweredRequest {
  /** The path template, or `unknown`. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Starts an exchange and sends its id with the answer. Logs and counts it when it ends. */
export function beginExchange(
  request: Request,
  response: Response,
  { logger, warnOfRefusal, countRequest }: ExchangeObserver,
): Exchange {
  const requestId = requestIdOf(request);
  const gone = new AbortController();
  const exchange: Exchange = {
    request,
    response,
    requestId,
    log: logger.child({ requestId }),
    startedMs: performance.now(),
    route: null,
    answered: false,
    signal: gone.signal,
    warnOfRefusal,
  };
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
    noteEnd(exchange, countRequest);
  });
  exchanges.set(response, exchange);
  response.setHeader('X-Request-Id', requestId);
  return exchange;
}

/** The exchange of a response. Throws if the middleware that starts it has not run. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (exchange === undefined) throw new Error('the exchange was not begun');
  return exchange;
}

/** Frequent probes without information. */
const quietRoutes: ReadonlySet<string | null> = new Set(['/healthz', '/readyz', '/metrics']);

function noteEnd(
  { request, response, route, log, startedMs, answered }: Exchange,
  countRequest: ExchangeObserver['countRequest'],
): void {
  const durationMs = performance.now() - startedMs;
  const { method } = request;
  const status = response.statusCode;
  countRequest({ route: route ?? 'unknown', method, status, seconds: durationMs / 1000 });
  // Paths can contain ids and queries any text, so only the route is logged.
  const line = { method, route, status, durationMs: Math.round(durationMs) };
  if (!response.writableFinished && !answered) log.info({ ...line, aborted: true }, 'request aborted');
  else if (quietRoutes.has(route)) log.debug(line, 'request done');
  else log.info(line, 'request done');
}

/** The client's request id if it is safe in headers, logs and on screen; otherwise a new one. */
function requestIdOf(request: Request): string {
  const [sent, ...more] = sentHeaders(request, 'x-request-id');
  return sent !== undefined && more.length === 0 && /^[\w.:/+=@~-]{1,128}$/.test(sent) ? sent : randomUUID();
}
