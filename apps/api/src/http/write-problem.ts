import { errorStatuses, type Problem, problemContentType } from '@plimsoll/contract';
import type { AppError } from '@plimsoll/model';
import { appErrorOf } from './app-error-of.ts';
import type { Exchange } from './exchange.ts';
import { isLate } from './late-bodies.ts';
import { endUnread, leavesMuchUnread } from './unread-body.ts';

/** Answers a request with the problem that anything thrown is told as, and logs what is our fault. */
export function writeProblem(exchange: Exchange, thrown: unknown): void {
  const { response, request, log } = exchange;
  const error = appErrorOf(thrown);
  const problem = problemOf(error, exchange.requestId);
  // Work that ended because its client has gone did not fail.
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
  if (problem.status === 401) response.setHeader('WWW-Authenticate', challengeOf(error, exchange));
  if (error.retryAfterSeconds !== null) response.setHeader('Retry-After', Math.ceil(error.retryAfterSeconds));
  const body = Buffer.from(JSON.stringify(problem));
  response.setHeader('Content-Length', body.length);
  const bytes = request.method === 'HEAD' ? Buffer.alloc(0) : body;
  exchange.answered = true;
  if (isLate(request)) {
    // Node closes the connection as soon as the answer is out, whatever the client goes on to send.
    response.setHeader('Connection', 'close');
    response.end(bytes);
  } else if (leavesMuchUnread(request)) endUnread(request, response, bytes);
  else response.end(bytes);
}

/** Whether there is too much to do, and nothing is broken: a flood of requests is not to become a flood of lines. */
function isRefusal({ code, cause }: AppError): boolean {
  return code === 'unavailable' && cause === undefined;
}

/** An error as RFC 9457 has it. */
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

/** RFC 6750, section 3: no error code where no credential was sent. */
function challengeOf(error: AppError, { request }: Exchange): string {
  const challenge = 'Bearer realm="plimsoll"';
  const failed = error.code === 'unauthenticated' && request.headers.authorization !== undefined;
  return failed ? `${challenge}, error="invalid_token"` : challenge;
}
