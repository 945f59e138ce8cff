import { randomUUID } from 'node:crypto';
import type { Logger } from '@plimsoll/observability';
import type { Request, Response } from 'express';
import { sentHeaders } from './sent-headers.ts';

/** One request on its way to its answer. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** Says the request's id in every line. */
  readonly log: Logger;
  /** When the request came in, as performance.now() tells it. */
  readonly startedMs: number;
  /** The path template that took the request; null until one did. */
  route: string | null;
  /** Whether all of an answer was given to the connection, though a client that still sends may keep it open. */
  answered: boolean;
  /** Aborted when the client goes away before the answer is out. */
  readonly signal: AbortSignal;
  /** Warns that the service was too busy for a request of a route, once a minute at most for all exchanges. */
  warnOfRefusal(route: string): void;
}

const exchanges = new WeakMap<Response, Exchange>();

/** Begins an exchange and answers with its id. */
export function beginExchange(
  request: Request,
  response: Response,
  { logger, warnOfRefusal }: { readonly logger: Logger } & Pick<Exchange, 'warnOfRefusal'>,
): Exchange {
  const requestId = requestIdOf(request);
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
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
  exchanges.set(response, exchange);
  response.setHeader('X-Request-Id', requestId);
  return exchange;
}

/** The exchange of a response. Throws where none was begun: a mistake in the order of the middleware. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (exchange === undefined) throw new Error('the exchange was not begun');
  return exchange;
}

/** The client's id of the request if it is fit for headers, logs and eyes; else a new one. */
function requestIdOf(request: Request): string {
  const [sent, ...more] = sentHeaders(request, 'x-request-id');
  return sent !== undefined && more.length === 0 && /^[\w.:/+=@~-]{1,128}$/.test(sent) ? sent : randomUUID();
}
