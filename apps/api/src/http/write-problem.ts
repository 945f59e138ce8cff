import { errorStatuses, type Problem, problemContentType } from '@plimsoll/contract';
import type { AppError } from '@plimsoll/model';
import { appErrorOf } from './app-error-of.ts';
import type { Exchange } from './exchange.ts';
import { isLate } from './request-body.ts';
import { endUnread, leavesMuchUnread } from './unread-body.ts';

/** Answers a request with the problem for a thrown value, and logs server errors. */
export function writeProblem(exchange: Exchange, thrown: unknown): void {
  const { response, request, log } = exchange;
  const error = appErrorOf(thrown);
  const problem = problemOf(error, exchange.requestId);
  // Work that ended because its client disconnected did not fail.
  const isFailure = problem.status >= 500 && thrown !== exchange.signal.reason;
  if (isFailure && isRefusal(error)) exchange.warnOfRefusal(exchange.route ?? 'unknown');
  else if (isFailure) log.error({ err: thrown, code: error.code }, 'request failed');
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.statusCode = problem.status;
  response.setHeader('Content-Type', problemContentType);
  response.removeHeader('Link');
  response.removeHeader('Content-Encoding');
  if (problem.status === 401) response.setHeader('WWW-Authenticate', challengeOf(error, exchange));
  if (error.retryAfterSeconds !== null) response.setHeader('Retry-After', Math.ceil(error.retryAfterSeconds));
  const body = Buffer.from(JSON.stringify(problem));
  response.setHeader('Content-Length', body.length);
  const bytes = request.method === 'HEAD' ? Buffer.alloc(0) : body;
  exchange.answered = true;
  if (isLate(request)) {
    // Node closes the connection as soon as the answer is sent, even if the client is still sending.
    response.setHeader('Connection', 'close');
    response.end(bytes);
  } else if (leavesMuchUnread(request)) endUnread(request, response, bytes);
  else response.end(bytes);
}

/** Whether the service is overloaded but not broken: a flood of requests must not become a flood of log lines. */
function isRefusal({ code, cause }: AppError): boolean {
  return code === 'unavailable' && cause === undefined;
}

/** An error in the form of RFC 9457. */
export function problemOf(error: AppError, requestId: string): Problem {
  const { status, title } = errorStatuses[error.code];
  return {
    type: `urn:plimsoll:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    errors: [...error.errors],
  };
}

/** RFC 6750, section 3: no error code if the request had no credential. */
function challengeOf(error: AppError, { request }: Exchange): string {
  const challenge = 'Bearer realm="plimsoll"';
  const failed = error.code === 'unauthenticated' && request.headers.authorization !== undefined;
  return failed ? `${challenge}, error="invalid_token"` : challenge;
}
