import { AppError } from '@plimsoll/model';
import type { BodyLimits } from './body-limits.ts';

/** How long a client that sent too slowly has to wait, at least, in seconds. */
const slowRetrySeconds = 60;

/** For a body with a pace. 429 and not 400: an agent behind a slow line keeps its report and tries again. */
export function tooSlow(): AppError {
  const retryAfterSeconds = slowRetrySeconds + Math.round(Math.random() * slowRetrySeconds);
  return new AppError('rate_limited', 'The body came too slowly.', { retryAfterSeconds });
}

/** For a body that is larger than its limit. */
export function tooLarge({ limitBytes }: BodyLimits): AppError {
  return new AppError('payload_too_large', `The body may have ${limitBytes} bytes at most.`);
}

/** For a body whose client went away before its end. */
export function endedEarly(): AppError {
  return new AppError('bad_request', 'The body ended early.');
}
