import { AppError } from '@plimsoll/model';
import type { BodyLimits } from './body-limits.ts';

/** Shortest wait for a client that sent too slowly, in seconds. */
const slowRetrySeconds = 60;

/** For a body with a required pace. 429 rather than 400: an agent on a slow line keeps its report and retries. */
export function tooSlow(): AppError {
  const retryAfterSeconds = slowRetrySeconds + Math.round(Math.random() * slowRetrySeconds);
  return new AppError('rate_limited', 'The body came too slowly.', { retryAfterSeconds });
}

/** For a body larger than its limit. */
export function tooLarge({ limitBytes }: BodyLimits): AppError {
  return new AppError('payload_too_large', `The body may have ${limitBytes} bytes at most.`);
}

/** For a body whose client disconnected before its end. */
export function endedEarly(): AppError {
  return new AppError('bad_request', 'The body ended early.');
}
